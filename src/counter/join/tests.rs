//! Every step of the join against the plainest brute force.

use std::collections::{BTreeMap, BTreeSet};

use super::lists::Lists;
use super::quarters::{Corner, Diagonal, LONG, Maker, Pattern, Quarter};
use super::subsets::members;
use super::symmetry::followers;
use super::*;
use crate::known;

/// The join of boards of `n` rows, with memory enough.
fn join(n: u32, kernel: Kernel) -> Join {
    Join::new(n, Tiles::new(n), &Settings { kernel, memory: 1 << 30 }).expect("enough memory")
}

/// A placement: the column of each row, where it has a queen.
type Placement = Vec<Option<u32>>;

/// All ways to place non-attacking queens, one in each of `rows`, on squares that `allowed` allows.
fn placements(n: u32, rows: &[u32], allowed: &dyn Fn(u32, u32) -> bool) -> Vec<Placement> {
    let Some((&row, others)) = rows.split_last() else { return vec![vec![None; n as usize]] };
    let mut found = Vec::new();
    for placement in placements(n, others, allowed) {
        for column in (0..n).filter(|&column| allowed(row, column)) {
            let attacked = (0..n).any(|r| {
                placement[r as usize]
                    .is_some_and(|c| c == column || c.abs_diff(column) == r.abs_diff(row))
            });
            if !attacked {
                let mut longer = placement.clone();
                longer[row as usize] = Some(column);
                found.push(longer);
            }
        }
    }
    found
}

fn solutions(n: u32) -> Vec<Placement> {
    placements(n, &(0..n).collect::<Vec<_>>(), &|_, _| true)
}

/// The diagonals of a placement that have squares in both halves, named by direction and number.
fn crossing(n: u32, placement: &Placement) -> BTreeSet<(bool, u32)> {
    let top = n.div_ceil(2);
    let diagonals = |row: u32, column: u32| [(false, row + column), (true, column + n - 1 - row)];
    let of_rows = |rows: std::ops::Range<u32>| -> BTreeSet<(bool, u32)> {
        rows.flat_map(|row| (0..n).flat_map(move |column| diagonals(row, column))).collect()
    };
    let crossing = &of_rows(0..top) & &of_rows(top..n);
    let used = (0..n).filter_map(|row| placement[row as usize].map(|column| (row, column)));
    used.flat_map(|(row, column)| diagonals(row, column))
        .filter(|diagonal| crossing.contains(diagonal))
        .collect()
}

/// What a key must be: each crossing diagonal has a bit of its own.
fn key(n: u32, placement: &Placement) -> u64 {
    let even = n.is_multiple_of(2);
    let mut key = 0;
    for (falling, number) in crossing(n, placement) {
        let bit = if even && number == n - 1 {
            62 + u32::from(falling)
        } else {
            number % (n - 1) + if falling { n - 1 } else { 0 }
        };
        assert_eq!(key >> bit & 1, 0, "two crossing diagonals share a bit");
        key |= 1 << bit;
    }
    key
}

fn sorted(mut keys: Vec<u64>) -> Vec<u64> {
    keys.sort_unstable();
    keys
}

fn kernels() -> impl Iterator<Item = Kernel> {
    Kernel::available().into_iter()
}

#[test]
fn crossing_diagonals_have_bits_of_their_own() {
    for n in 4..=32u32 {
        let top = n.div_ceil(2);
        let mut bits = BTreeMap::new();
        let mut halves = BTreeMap::new();
        for row in 0..n {
            for column in 0..n {
                let [(rising, a), (falling, b)] = Board { n }.diagonals(row, column);
                for (name, bit, crosses) in
                    [((false, row + column), rising, a), ((true, column + n - 1 - row), falling, b)]
                {
                    halves.entry(name).or_insert([false; 2])[usize::from(row >= top)] = true;
                    bits.insert(name, (bit, crosses));
                }
            }
        }
        let crossing: Vec<u64> =
            bits.iter().filter(|(_, (_, crosses))| *crosses).map(|(_, (bit, _))| *bit).collect();
        assert_eq!(crossing.len(), 2 * (n as usize - 1));
        assert_eq!(crossing.iter().collect::<BTreeSet<_>>().len(), crossing.len());
        for (name, (bit, crosses)) in bits {
            assert_eq!(crosses, halves[&name] == [true; 2], "n = {n}, {name:?}");
            assert_eq!(bit & LONG != 0, n % 2 == 0 && name.1 == n - 1);
        }
    }
}

/// The placements in a quarter, given by its columns, by local row set.
fn quarter_by_hand(
    n: u32,
    corner: Corner,
    extra: [u32; 2],
    columns: u32,
    wanted: &dyn Fn(bool) -> bool,
) -> BTreeMap<u32, Vec<u64>> {
    let half = n / 2;
    let from_edge = |far: bool, index: u32| if far { n - 1 - index } else { index };
    let mut by_rows: BTreeMap<u32, Vec<u64>> = BTreeMap::new();
    for rows in 0..1u32 << (half + extra[0]) {
        if rows.count_ones() != columns.count_ones() || (extra[0] == 1 && rows >> half == 0) {
            continue;
        }
        let board_rows: Vec<u32> = members(rows).map(|row| from_edge(corner.bottom, row)).collect();
        let free: Vec<u32> = members(columns).map(|c| from_edge(corner.east, c)).collect();
        for placement in placements(n, &board_rows, &|_, column| free.contains(&column)) {
            let on_diagonal = members(rows).any(|row| {
                placement[from_edge(corner.bottom, row) as usize]
                    == Some(from_edge(corner.east, row))
            });
            if wanted(on_diagonal) {
                by_rows.entry(rows).or_default().push(key(n, &placement));
            }
        }
    }
    by_rows
}

fn check_lists(lists: &Lists, sets: &[u32], mut expected: BTreeMap<u32, Vec<u64>>, what: &str) {
    assert_eq!(lists.groups(), sets.len(), "{what}");
    for (rank, rows) in sets.iter().enumerate() {
        let expected = sorted(expected.remove(rows).unwrap_or_default());
        assert_eq!(sorted(lists.of(rank).to_vec()), expected, "{what} rows {rows:b}");
        let padded = lists.padded(rank);
        assert!(
            padded.len().is_multiple_of(4)
                && padded[expected.len()..].iter().all(|&key| key == u64::MAX)
        );
    }
    assert!(expected.is_empty());
}

#[test]
fn quarters_are_what_backtracking_finds() {
    for n in 4..=9 {
        let half = n / 2;
        let subsets = Subsets::new(half + 1);
        let board = Board { n };
        let split = if n % 2 == 0 { Diagonal::Split } else { Diagonal::Any };
        for kernel in kernels() {
            for (bottom, east) in [(false, false), (false, true), (true, false), (true, true)] {
                let corner = Corner { bottom, east };
                let check = |quarter: Quarter, extra: [u32; 2], split: bool| {
                    let mut maker = Maker::new(quarter, &subsets, kernel);
                    let mut lists = Default::default();
                    for columns in 0..1u32 << (half + extra[1]) {
                        let size = columns.count_ones();
                        if size > half + extra[0]
                            || (extra[0] == 1 && size == 0)
                            || (extra[1] == 1 && columns >> half == 0)
                        {
                            continue;
                        }
                        maker.make(columns, Pattern::ANY, &mut lists);
                        let sets = subsets.of(half + extra[0], size);
                        let what = format!("n = {n} {corner:?} {extra:?} columns {columns:b}");
                        let by_hand = |wanted: &dyn Fn(bool) -> bool| {
                            quarter_by_hand(n, corner, extra, columns, wanted)
                        };
                        let [all, empty, taken] = &lists;
                        if split {
                            check_lists(all, sets, by_hand(&|_| true), &what);
                            check_lists(empty, sets, by_hand(&|on| !on), &what);
                            check_lists(taken, sets, by_hand(&|on| on), &what);
                        } else {
                            check_lists(all, sets, by_hand(&|on| !on), &what);
                        }
                    }
                };
                check(Quarter::new(board, corner, Diagonal::Empty), [0, 0], false);
                if n % 2 == 0 {
                    check(Quarter::new(board, corner, split), [0, 0], true);
                }
            }
        }
    }
}

#[test]
fn quarters_with_middle_lines_are_what_backtracking_finds() {
    for n in [5, 7, 9] {
        let half = n / 2;
        let subsets = Subsets::new(half + 1);
        let board = Board { n };
        for kernel in kernels() {
            let top_east = Corner { bottom: false, east: true };
            let bottom_west = Corner { bottom: true, east: false };
            let mut lists = Default::default();
            let mut maker = Maker::new(
                Quarter::with_middle_row(board, top_east, Diagonal::Any),
                &subsets,
                kernel,
            );
            for columns in 1..1u32 << half {
                maker.make(columns, Pattern::ANY, &mut lists);
                let sets = subsets.of(half + 1, columns.count_ones());
                let expected = quarter_by_hand(n, top_east, [1, 0], columns, &|_| true);
                check_lists(&lists[0], sets, expected, "middle row");
            }
            let mut maker = Maker::new(
                Quarter::with_middle_column(board, bottom_west, Diagonal::Any),
                &subsets,
                kernel,
            );
            for columns in (0..1u32 << half).map(|columns| columns | 1 << half) {
                if columns.count_ones() > half {
                    continue;
                }
                maker.make(columns, Pattern::ANY, &mut lists);
                let sets = subsets.of(half, columns.count_ones());
                let expected = quarter_by_hand(n, bottom_west, [0, 1], columns, &|_| true);
                check_lists(&lists[0], sets, expected, "middle column");
            }
        }
    }
}

#[test]
fn patterns_part_the_placements() {
    for n in [8, 9, 10] {
        let board = Board { n };
        let subsets = Subsets::new(n / 2 + 1);
        let decided = central_diagonals(board, 4);
        assert_eq!(decided.count_ones(), 4);
        for (bottom, east) in [(false, false), (false, true), (true, false), (true, true)] {
            let quarter = Quarter::new(board, Corner { bottom, east }, Diagonal::Any);
            let mut maker = Maker::new(quarter, &subsets, Kernel::Portable);
            for &columns in subsets.of(n / 2, n / 4) {
                let (mut all, mut part) = Default::default();
                maker.make(columns, Pattern::ANY, &mut all);
                let mut union = vec![Vec::new(); all[0].groups()];
                for pattern in Pattern::all(decided) {
                    let present = pattern.present;
                    maker.make(columns, pattern, &mut part);
                    for (group, union) in union.iter_mut().enumerate().take(part[0].groups()) {
                        let keys = part[0].of(group);
                        assert!(keys.iter().all(|key| key & decided == present));
                        union.extend_from_slice(keys);
                    }
                }
                for (group, keys) in union.into_iter().enumerate() {
                    assert_eq!(sorted(keys), sorted(all[0].of(group).to_vec()));
                }
            }
        }
    }
}

/// The eight images of a board.
fn images(n: u32, board: &Placement) -> Vec<Placement> {
    let columns: Vec<u32> = board.iter().map(|column| column.expect("a queen per row")).collect();
    let mut images = Vec::new();
    for image in 0..8 {
        let mut moved = vec![None; n as usize];
        for (row, &column) in (0..n).zip(&columns) {
            let (row, column) = if image & 1 == 0 { (row, column) } else { (column, row) };
            let row = if image & 2 == 0 { row } else { n - 1 - row };
            let column = if image & 4 == 0 { column } else { n - 1 - column };
            moved[row as usize] = Some(column);
        }
        images.push(moved);
    }
    images
}

/// The pair of column sets that counts a board, with the weight of the board; by the rules only.
fn counted(n: u32, board: &Placement, subsets: &Subsets) -> Option<(Pair, u64)> {
    let half = n / 2;
    let column = |row: u32| board[row as usize].expect("a queen per row");
    let row_of = |c: u32| (0..n).find(|&row| column(row) == c).expect("a queen per column");
    let west = (0..half).filter(|&c| row_of(c) < half).map(|c| 1 << c).sum::<u32>();
    let east = (0..half).filter(|&c| row_of(n - 1 - c) >= n - half).map(|c| 1 << c).sum::<u32>();
    let rows = (0..half).filter(|&row| column(row) < half).map(|row| 1 << row).sum::<u32>();
    let on_long = |row: u32| column(row) == row || column(row) == n - 1 - row;
    let size = west.count_ones();
    let case = match n % 2 {
        0 => Case::Even,
        _ if column(half) == half => Case::OddCentre,
        _ => Case::OddOffCentre,
    };
    if !case.sizes(half).contains(&size) {
        return None;
    }
    let sets = subsets.of(half, size).len();
    let rank = |set: u32| subsets.ranks()[set as usize] as usize;
    let pair = Pair { case, half, size, west: rank(west), east: rank(east), sets };
    let weight = match case {
        Case::Even if (0..half).any(on_long) => 0,
        Case::Even => pair.weights()[(half..n).filter(|&row| on_long(row)).count()],
        Case::OddCentre => pair.weights()[0],
        Case::OddOffCentre if column(half) < half || row_of(half) < half => 0,
        Case::OddOffCentre if rows == west => match members(west).find(|&c| row_of(c) != c) {
            None => 4,
            Some(first) if row_of(first) < column(first) => 8,
            Some(_) => 0,
        },
        Case::OddOffCentre => {
            let follows = followers(pair.west, sets).into_iter().flatten().any(|r| r == rank(rows));
            if follows { 8 } else { 0 }
        }
    };
    (weight > 0).then_some((pair, weight))
}

#[test]
fn the_weights_of_the_images_of_a_board_add_up_to_eight() {
    for n in 4..=11 {
        let subsets = Subsets::new(n / 2 + 1);
        for board in solutions(n) {
            let images = images(n, &board);
            let weights = images.iter().filter_map(|image| counted(n, image, &subsets));
            assert_eq!(weights.map(|(_, weight)| weight).sum::<u64>(), 8, "{board:?}");
        }
    }
}

#[test]
fn each_unit_counts_its_own_boards() {
    for n in 4..=13 {
        let subsets = Subsets::new(n / 2 + 1);
        let boards = crate::List::new(n).unwrap().run().unwrap();
        let placements = boards.map(|board| board.columns().iter().map(|&c| Some(c)).collect());
        let counted: Vec<_> =
            placements.filter_map(|placement| counted(n, &placement, &subsets)).collect();
        for kernel in kernels() {
            let join = join(n, kernel);
            let mut worker = join.joiner();
            for unit in 0..join.tiles.len() {
                let tile = join.tiles.get(unit);
                let inside = |(pair, _): &&(Pair, u64)| {
                    pair.case == tile.case
                        && pair.size == tile.size
                        && tile.west.contains(&pair.west)
                        && tile.east.contains(&pair.east)
                };
                let expected: u64 = counted.iter().filter(inside).map(|(_, weight)| weight).sum();
                assert_eq!(worker.count(unit).unwrap().solutions, expected, "n = {n}, unit {unit}");
            }
        }
    }
}

#[test]
fn half_boards_are_what_backtracking_finds() {
    for n in 4..=9 {
        let half = n / 2;
        let join = join(n, Kernel::Portable);
        let long = |row: u32, column: u32| column == row || column == n - 1 - row;
        for unit in 0..join.tiles.len() {
            let tile = join.tiles.get(unit);
            let mut halves = Halves::new(&join.base, tile.case);
            halves.make_tops(&tile, 0);
            halves.make_bottoms(&tile, 0);
            for pair in Pair::all(&tile, n / 2) {
                let middle = u32::from(tile.case.has_middle());
                let west = join.base.subsets.of(half, pair.size)[pair.west];
                let east = join.base.subsets.of(half, pair.size - middle)[pair.east];
                let in_top = |column: u32| {
                    if column < half {
                        west >> column & 1 == 1
                    } else {
                        column >= n - half && east >> (n - 1 - column) & 1 == 0
                    }
                };
                let in_bottom = |column: u32| {
                    if n % 2 == 1 && column == half { middle == 1 } else { !in_top(column) }
                };
                let centre = tile.case == Case::OddCentre;
                let index = [pair.west - tile.west.start, pair.east - tile.east.start];
                let (mut tops, mut fixed, mut bottoms) = (Vec::new(), Vec::new(), Vec::new());
                halves.append_tops(&pair, index, usize::MAX, &mut tops, &mut fixed).expect("room");
                halves.append_bottoms(&pair, index, usize::MAX, &mut bottoms).expect("room");

                let rows: Vec<u32> = (0..half + middle).collect();
                let top_square = |row: u32, column: u32| {
                    in_top(column)
                        && (middle == 1 || !long(row, column))
                        && (row < half || column > half)
                };
                let by_hand = placements(n, &rows, &top_square);
                let mut expected: Vec<u64> = by_hand.iter().map(|top| key(n, top)).collect();
                if tile.case.is_reflected() {
                    // One of each reflected pair: checked with whole boards by the units.
                    let (tops, fixed): (BTreeSet<_>, BTreeSet<_>) =
                        (tops.into_iter().collect(), fixed.into_iter().collect());
                    let all: BTreeSet<_> = expected.into_iter().collect();
                    assert!(tops.is_subset(&all) && fixed.is_subset(&all));
                } else {
                    expected.sort_unstable();
                    assert_eq!(sorted(tops), expected);
                }

                let rows: Vec<u32> = (n - half..n).collect();
                let bottom_square =
                    |row: u32, column: u32| in_bottom(column) && !(centre && long(row, column));
                let classes = pair.weights();
                let expected = placements(n, &rows, &bottom_square)
                    .iter()
                    .map(|bottom| key(n, bottom))
                    .filter(|key| classes[0] > 0 || key & LONG != 0)
                    .collect();
                assert_eq!(sorted(bottoms), sorted(expected), "n = {n} {pair:?}");
            }
        }
    }
}

#[test]
fn followers_are_a_tournament() {
    for sets in 1..=12 {
        let follows = |a: usize, b: usize| followers(a, sets).into_iter().flatten().any(|r| r == b);
        for a in 0..sets {
            assert!(!follows(a, a));
            for b in (0..sets).filter(|&b| b != a) {
                assert_ne!(follows(a, b), follows(b, a), "{a} and {b} of {sets}");
            }
        }
    }
}

#[test]
fn the_units_cover_each_counted_pair_once() {
    for n in 4..=17 {
        let join = join(n, Kernel::Portable);
        let mut seen = BTreeSet::new();
        for unit in 0..join.tiles.len() {
            for pair in Pair::all(&join.tiles.get(unit), n / 2) {
                assert!(seen.insert((pair.case as u8, pair.size, pair.west, pair.east)));
            }
        }
        for &case in Case::of(n) {
            let half = n / 2;
            for size in case.sizes(half) {
                let sets = join.base.subsets.of(half, size).len();
                let middle = u32::from(case.has_middle());
                for west in 0..sets {
                    for east in 0..join.base.subsets.of(half, size - middle).len() {
                        let pair = Pair { case, half, size, west, east, sets };
                        let found = seen.contains(&(case as u8, size, west, east));
                        assert!(found || pair.weights() == [0; 3], "n = {n} {pair:?}");
                    }
                }
            }
        }
    }
}

fn total(join: &Join) -> Tally {
    let mut worker = join.joiner();
    let mut total = Tally::default();
    for unit in 0..join.tiles.len() {
        let Tally { solutions, work } = worker.count(unit).unwrap();
        total.solutions += solutions;
        total.work += work;
    }
    total
}

#[test]
fn known_answers() {
    for kernel in kernels() {
        for n in 4..=16 {
            let solutions = known::solutions(n).unwrap();
            assert_eq!(total(&join(n, kernel)).solutions, solutions, "n = {n}, {kernel:?}");
        }
    }
}

#[test]
fn short_memory_changes_no_tally() {
    for n in 6..=11 {
        let mut join = join(n, Kernel::best());
        let tallies = |join: &Join| {
            let mut worker = join.joiner();
            (0..join.tiles.len()).map(|unit| worker.count(unit)).collect::<Vec<_>>()
        };
        let whole = tallies(&join);
        for decided in 1..=4 {
            join.plan.decided = decided;
            assert_eq!(tallies(&join), whole, "n = {n}, {decided} decided");
        }
        // Lists that turn out too long on the way.
        join.plan = Plan { decided: 0, keys: join.plan.keys / 100, ..join.plan };
        assert_eq!(tallies(&join), whole, "n = {n}, lists too long");
    }
}

#[test]
fn memory_is_planned() {
    for n in 4..=32 {
        let side = tiles::side(n);
        let smallest = Plan::new(n, side, 0).expect_err("no memory");
        for limit in [smallest, 10 * smallest, 1000 * smallest] {
            let plan = Plan::new(n, side, limit).expect("enough");
            assert!(plan.bytes <= limit);
        }
        assert_eq!(Plan::new(n, side, u64::MAX).expect("enough").decided, 0);
    }
}
