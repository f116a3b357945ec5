use serde::{Deserialize, Serialize};

/// The link types of one `rel` attribute, as a set (HTML 4.6.7 and the microformats register).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Rel(u32);

macro_rules! link_types {
    ($($(#[$doc:meta])* $name:ident = $bit:literal: $($token:literal)|+;)*) => {
        impl Rel {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*

            fn of_token(token: &str) -> Self {
                const TOKENS: &[(&str, Rel)] = &[$($(($token, Rel::$name)),+),*];
                let known = TOKENS.iter().find(|(name, _)| name.eq_ignore_ascii_case(token));
                known.map_or(Self::OTHER, |(_, rel)| *rel)
            }

            /// The link types in it, the first of each by its usual name; what is not listed here has none.
            pub fn names(self) -> impl Iterator<Item = &'static str> {
                const NAMES: &[(&[&str], Rel)] = &[$((&[$($token),+], Rel::$name)),*];
                NAMES.iter().filter(move |(_, rel)| self.has(*rel)).map(|(tokens, _)| tokens[0])
            }
        }
    };
}

link_types! {
    /// The page does not vouch for the target.
    NOFOLLOW = 0: "nofollow";
    /// A user of the site wrote the link.
    UGC = 1: "ugc";
    /// The link was paid for.
    SPONSORED = 2: "sponsored";
    /// Another representation: a translation, a feed.
    ALTERNATE = 3: "alternate";
    /// The preferred URL of this document.
    CANONICAL = 4: "canonical";
    /// The next of a series.
    NEXT = 5: "next";
    /// The one before in a series.
    PREV = 6: "prev" | "previous";
    /// A style sheet.
    STYLESHEET = 7: "stylesheet";
    /// An icon.
    ICON = 8: "icon" | "apple-touch-icon" | "apple-touch-icon-precomposed" | "mask-icon" | "fluid-icon" | "image_src";
    /// A hint to fetch or connect early.
    PRELOAD = 9: "preload" | "prefetch" | "modulepreload" | "preconnect" | "dns-prefetch" | "prerender" | "subresource";
    /// An application manifest.
    MANIFEST = 10: "manifest";
    /// A place in the same document tree: its index, its chapters, what is above.
    TREE = 11: "index" | "contents" | "toc" | "start" | "first" | "begin" | "last" | "end" | "up" | "top" | "home" | "chapter"
        | "section" | "subsection" | "appendix" | "glossary" | "bookmark" | "child" | "parent" | "sibling";
    /// A document about this one: its author, help.
    ABOUT = 12: "author" | "help" | "copyright" | "privacy-policy" | "terms-of-service" | "cite-as" | "amphtml"
        | "archives" | "tag";
    /// A search interface.
    SEARCH = 13: "search";
    /// An endpoint for programs.
    ENDPOINT = 14: "pingback" | "webmention" | "edituri" | "wlwmanifest" | "hub" | "self" | "service" | "openid.server"
        | "https://api.w.org/" | "micropub" | "authorization_endpoint" | "token_endpoint" | "indieauth-metadata";
    /// Off the site.
    EXTERNAL = 15: "external";
    /// Says how the browser opens the target, nothing about the target.
    WINDOW = 16: "noopener" | "noreferrer" | "opener";
    /// The author's own page elsewhere.
    ME = 17: "me" | "publisher";
    /// What this document may be used for.
    LICENSE = 18: "license";
    /// A shorter URL of this same document.
    SHORTLINK = 19: "shortlink";
    /// Where this document is changed (RFC 5023, section 11.1; RFC 6861).
    EDIT = 20: "edit" | "edit-form" | "edit-media";
}

impl Rel {
    /// No link type.
    pub const NONE: Self = Self(0);
    /// Some link type that is not listed here.
    pub const OTHER: Self = Self(1 << 31);

    /// Reads a space-separated list of tokens in any case.
    pub fn parse(value: &str) -> Self {
        value.split_ascii_whitespace().map(Self::of_token).fold(Self::NONE, Self::with)
    }

    /// Both sets together.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether it holds any of these.
    pub const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// Whether the page declines to vouch for the target: nofollow, ugc or sponsored.
    pub const fn is_unvouched(self) -> bool {
        self.has(Self::NOFOLLOW.with(Self::UGC).with(Self::SPONSORED))
    }
}
