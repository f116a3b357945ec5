/// The first byte of an element: class, form and number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Tag(pub(super) u8);

impl Tag {
    pub(super) const INTEGER: Self = Self(0x02);
    pub(super) const OCTETS: Self = Self(0x04);
    pub(super) const OID: Self = Self(0x06);
    pub(super) const BOOLEAN: Self = Self(0x01);
    pub(super) const UTC_TIME: Self = Self(0x17);
    pub(super) const GENERALIZED_TIME: Self = Self(0x18);
    pub(super) const BMP_STRING: Self = Self(0x1E);
    pub(super) const SEQUENCE: Self = Self(0x30);

    /// `[number]`, with elements inside.
    pub(super) const fn context(number: u8) -> Self {
        Self(0xA0 | number)
    }

    /// `[number]`, in place of a simple type.
    pub(super) const fn primitive(number: u8) -> Self {
        Self(0x80 | number)
    }
}

/// Tag and content.
#[derive(Debug, Clone, Copy)]
pub(super) struct Element<'a> {
    pub(super) tag: Tag,
    pub(super) content: &'a [u8],
}

impl<'a> Element<'a> {
    /// The elements it is made of.
    pub(super) fn inside(self) -> Reader<'a> {
        Reader::new(self.content)
    }
}

/// Elements one after the other, in DER (X.690): lengths are definite. Tags of more than a byte, which certificates do not have,
/// end the reading.
#[derive(Debug, Clone)]
pub(super) struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The next element, which must be of this kind.
    pub(super) fn expect(&mut self, tag: Tag) -> Option<Element<'a>> {
        self.next().filter(|element| element.tag == tag)
    }

    /// The next element, if it is of this kind.
    pub(super) fn take_if(&mut self, tag: Tag) -> Option<Element<'a>> {
        if self.rest.first() == Some(&tag.0) { self.next() } else { None }
    }

    fn length(&mut self) -> Option<usize> {
        const LONG: u8 = 0x80;
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        if first < LONG {
            return Some(usize::from(first));
        }
        let (digits, rest) = self.rest.split_at_checked(usize::from(first - LONG))?;
        self.rest = rest;
        let fits = (1..=4).contains(&digits.len());
        fits.then(|| digits.iter().fold(0, |length, digit| length << 8 | usize::from(*digit)))
    }
}

impl<'a> Iterator for Reader<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        const MORE: u8 = 0x1F;
        let (&tag, rest) = self.rest.split_first()?;
        self.rest = if tag & MORE == MORE { &[] } else { rest };
        let length = self.length()?;
        let (content, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(Element { tag: Tag(tag), content })
    }
}
