use super::{
    FORMAT, Keeping, LogSettings, PageSettings, Profile, RetrySettings, Settings, SignatureSettings, Size,
    Span, TextSetting, Threshold,
};
use weburl::{Folding, Scope};

impl Settings {
    /// Everything that has a default; what is polite is `frontier::limits`'.
    pub(crate) fn defaults() -> Self {
        Self {
            format: Some(FORMAT),
            scope: Some(Scope::Domain),
            patience: Some(Span(600_000)),
            profile: Some(Profile::Default),
            concurrency: Some(256),
            memory: Some(Size(2 << 30)),
            low_disk: Some(Size(256 << 20)),
            preference_files: Some(false),
            archive: Some(Keeping::Keep),
            text: Some(TextSetting::Visible),
            insecure: Some(false),
            http2: Some(true),
            cookies: Some(false),
            retry: Some(RetrySettings::defaults()),
            page: Some(PageSettings::defaults()),
            folding: Some(Folding::ALL),
            signature: Some(SignatureSettings::default()),
            log: Some(LogSettings::defaults()),
            ..Self::default()
        }
        .with_profile()
    }
}

impl RetrySettings {
    fn defaults() -> Self {
        let policy = crawler::RetryPolicy::default();
        Self {
            base: Some(Span(policy.base_ms)),
            factor: Some(policy.factor),
            attempts: Some(policy.attempts),
            max: Some(Span(policy.max_ms)),
            overload: Some(Span(policy.overload_ms)),
        }
    }
}

impl PageSettings {
    /// HTML, XHTML, XML and plain text; a page that takes longer than two minutes is not worth its slot.
    fn defaults() -> Self {
        let types = ["text/html", "text/plain", "text/xml", "application/xml", "application/*+xml"];
        Self {
            types: Some(types.map(str::to_owned).to_vec()),
            body: Some(Size(16 << 20)),
            parse: Some(Size(2 << 20)),
            time: Some(Span(120_000)),
        }
    }
}

impl LogSettings {
    /// Eight files of 16 MiB: some hundred thousand failures.
    fn defaults() -> Self {
        Self { level: Some(Threshold::default()), size: Some(Size(16 << 20)), files: Some(8) }
    }
}
