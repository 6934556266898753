//! x
fn main() { let a: Vec<u32> = std::env::args().skip(1).map(|x| x.parse().unwrap()).collect();
 let o = nqueens::Count::new(a[0]).unwrap().threads(a[1] as usize).run().unwrap(); println!("{o:?}"); }
