//! What the queens of the rows above attack in the next row, as three masks.
//!
//! Bit `c` of each mask is column `c`, drawn with column 0 on the left. After queens in columns 1
//! and 3 of the first two rows of a board of 6, the third row looks like this:
//!
//! ```text
//!   . Q . . . .      columns          . x . x . .
//!   . . . Q . .      left_diagonals   . . . x x .    each row moves them one column on, `<< 1`
//!   ? ? ? ? ? ?      right_diagonals  . . x . . .    each row moves them one column back, `>> 1`
//!                    free             1 . . . . 1
//! ```
//!
//! (The left diagonals come from the left. A diagonal that leaves the board at column 0 falls off
//! the mask; one that leaves at the other side stays above the board until bit 31, where it does no
//! harm, since only squares of the row are looked at.)

/// The squares of the next row that are attacked, by kind of attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Attacks {
    pub(crate) columns: u32,
    pub(crate) left_diagonals: u32,
    pub(crate) right_diagonals: u32,
}

impl Attacks {
    /// The squares of `row`, the next row's mask, that no queen attacks.
    #[inline(always)]
    pub(crate) fn free(self, row: u32) -> u32 {
        row & !(self.columns | self.left_diagonals | self.right_diagonals)
    }

    /// The attacks one row further on, with `queen` (one bit) placed in this row.
    #[inline(always)]
    pub(crate) fn place(self, queen: u32) -> Self {
        Self {
            columns: self.columns | queen,
            left_diagonals: (self.left_diagonals | queen) << 1,
            right_diagonals: (self.right_diagonals | queen) >> 1,
        }
    }
}

/// The bits of `mask` one by one, lowest first.
#[inline(always)]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let bit = mask & mask.wrapping_neg();
        mask ^= bit;
        (bit != 0).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_drawn_example() {
        let attacks = Attacks::default().place(1 << 1).place(1 << 3);
        assert_eq!(attacks.columns, 0b001010);
        assert_eq!(attacks.left_diagonals, 0b011000);
        assert_eq!(attacks.right_diagonals, 0b000100);
        assert_eq!(attacks.free(0b111111), 0b100001);
    }

    #[test]
    fn a_mask_of_all_32_bits() {
        let attacks = Attacks::default().place(1 << 31);
        assert_eq!(attacks.left_diagonals, 0);
        assert_eq!(attacks.right_diagonals, 1 << 30);
        assert_eq!(attacks.free(u32::MAX), u32::MAX >> 2);
        assert_eq!(bits(0x8000_0005).collect::<Vec<_>>(), [1, 4, 1 << 31]);
    }
}
