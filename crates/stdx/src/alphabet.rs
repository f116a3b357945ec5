//! What Unicode says of a character, from tables for those that nearly all texts are made of: its own are searched.

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

/// Characters below this are in the tables, 7 KB each: those of every script in common use, to the surrogates.
const END: usize = 0xD800;

static LETTERS: LazyLock<Table> = LazyLock::new(|| Table::of(char::is_alphabetic));
static LETTERS_AND_DIGITS: LazyLock<Table> = LazyLock::new(|| Table::of(char::is_alphanumeric));
static OWN_LOWER_CASE: LazyLock<Table> = LazyLock::new(|| Table::of(is_own_lower_case));

/// The same as [`char::is_alphabetic`].
pub fn is_letter(c: char) -> bool {
    LETTERS.has(c).unwrap_or_else(|| c.is_alphabetic())
}

/// The same as [`char::is_alphanumeric`].
pub fn is_letter_or_digit(c: char) -> bool {
    LETTERS_AND_DIGITS.has(c).unwrap_or_else(|| c.is_alphanumeric())
}

/// The same as [`char::to_lowercase`].
pub fn lower_case(c: char) -> impl Iterator<Item = char> {
    let others = (OWN_LOWER_CASE.has(c) != Some(true)).then(|| c.to_lowercase());
    others.is_none().then_some(c).into_iter().chain(others.into_iter().flatten())
}

fn is_own_lower_case(c: char) -> bool {
    c.to_lowercase().eq([c])
}

/// One bit for each.
struct Table([u64; END / 64]);

impl Table {
    fn of(is: fn(char) -> bool) -> Self {
        let mut bits = [0; END / 64];
        for c in (0..END as u32).filter_map(char::from_u32).filter(|c| is(*c)) {
            bits[c as usize / 64] |= 1 << (c as usize % 64);
        }
        Self(bits)
    }

    /// `None` where the table ends before it.
    fn has(&self, c: char) -> Option<bool> {
        let bits = self.0.get(c as usize / 64)?;
        Some(bits >> (c as usize % 64) & 1 == 1)
    }
}
