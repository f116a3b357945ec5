use super::Terms;
use robots::Use;
use std::str::FromStr;

/// Which refusals keep a page out of what is made of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Respect {
    /// Of training models and of text and data mining.
    #[default]
    Training,
    /// Of any use.
    All,
    /// None: whoever takes the rows goes by their preferences.
    None,
}

impl Respect {
    fn uses(self) -> &'static [Use] {
        match self {
            Self::Training => &[Use::Train, Use::Mining],
            Self::All => &Use::ALL,
            Self::None => &[],
        }
    }

    /// Why a page is withheld, if it is; `terms` are none where its capture is gone, or in a file that a killed crawl left open, and nobody can know.
    pub(crate) fn withholds(self, terms: Option<&Terms>) -> Option<String> {
        let Some(terms) = terms else {
            return (self != Self::None).then(|| {
                "no closed file of the archive has its capture, or not what that stands for".to_owned()
            });
        };
        let refused = self.uses().iter().find(|of| terms.preferences.refuses(**of))?;
        let said = terms.said.iter().find(|said| said.preferences.refuses(*refused))?;
        Some(format!("{}: {}=n", said.place, refused.name()))
    }
}

impl FromStr for Respect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "training" => Ok(Self::Training),
            "all" => Ok(Self::All),
            "none" => Ok(Self::None),
            _ => Err("training, all or none".to_owned()),
        }
    }
}
