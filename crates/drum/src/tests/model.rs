use super::fixture::{Log, Model, Sum, check_equal, checkpoint, merge, open, tiny};
use crate::{Config, Manifest, MergeJob, Request};
use disk::{MemDisk, SharedDisk};
use proptest::prelude::*;
use std::sync::Arc;

#[derive(Debug, Clone)]
enum Step {
    Append { key: u64, request: Request<Sum>, aux: Vec<u8> },
    Merge,
    Start,
    Finish,
    Abandon,
    Checkpoint,
    Reopen,
}

/// Few keys, so that they meet; spread over all buckets, and some of them neighbours.
fn key() -> impl Strategy<Value = u64> {
    (0u64..12, 0u64..4).prop_map(|(high, low)| high.wrapping_mul(0x1555_5555_5555_5555) + low)
}

fn request() -> impl Strategy<Value = Request<Sum>> {
    let sum = (1u32..100).prop_map(Sum);
    prop_oneof![
        1 => Just(Request::Check),
        1 => sum.clone().prop_map(Request::Update),
        3 => sum.prop_map(Request::CheckUpdate),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let aux = proptest::collection::vec(0u8..4, 0..200);
    prop_oneof![
        40 => (key(), request(), aux).prop_map(|(key, request, aux)| Step::Append { key, request, aux }),
        3 => Just(Step::Merge),
        2 => Just(Step::Start),
        2 => Just(Step::Finish),
        1 => Just(Step::Abandon),
        2 => Just(Step::Checkpoint),
        1 => Just(Step::Reopen),
    ]
}

/// What a caller keeps in its checkpoint.
struct Saved {
    manifest: Option<Manifest>,
    model: Model,
    told: Log,
}

fn check(bucket_bits: u8, steps: Vec<Step>) {
    let config = Config { bucket_bytes: 1 << 20, ..tiny(bucket_bits) };
    let disk: SharedDisk = Arc::new(MemDisk::new());
    let mut drum = open(&disk, config, None).unwrap();
    let (mut model, mut told) = (Model::default(), Log::new());
    let mut saved = Saved { manifest: None, model: Model::default(), told: Log::new() };
    let mut job: Option<MergeJob<Sum>> = None;
    for step in steps {
        match step {
            Step::Append { key, request, aux } => {
                let bucket = drum.append(key, request, &aux).unwrap();
                model.append(bucket, key, request, &aux);
            }
            Step::Merge => {
                if let Some(bucket) = drum.fullest() {
                    merge(&mut drum, bucket, &mut told).unwrap();
                }
            }
            Step::Start if job.is_none() => {
                job = drum.fullest().and_then(|bucket| drum.start_merge(bucket).unwrap());
            }
            Step::Finish => {
                if let Some(job) = job.take() {
                    let verdicts = told.entry(job.bucket()).or_default();
                    let merged = job.run(|verdict| {
                        verdicts.push(verdict.into());
                        Ok(())
                    });
                    drum.finish_merge(merged.unwrap());
                }
            }
            Step::Abandon => {
                if let Some(job) = job.take() {
                    drum.abandon_merge(job.bucket());
                }
            }
            Step::Checkpoint => {
                let manifest = checkpoint(&mut drum, &disk).unwrap();
                assert_eq!(Manifest::from_bytes(&manifest.to_bytes()).unwrap(), manifest);
                drum.committed(&manifest).unwrap();
                saved = Saved { manifest: Some(manifest), model: model.clone(), told: told.clone() };
            }
            Step::Reopen => {
                job = None;
                drum = open(&disk, config, saved.manifest.as_ref()).unwrap();
                (model, told) = (saved.model.clone(), saved.told.clone());
            }
            Step::Start => {}
        }
        drum.check_invariants();
    }
    if let Some(job) = job {
        drum.abandon_merge(job.bucket());
    }
    super::fixture::merge_all(&mut drum, &mut told).unwrap();
    told.retain(|_, verdicts| !verdicts.is_empty());
    assert_eq!(told, model.verdicts);
    check_equal(&drum, &model);
    let manifest = checkpoint(&mut drum, &disk).unwrap();
    drum.committed(&manifest).unwrap();
    let listed = disk.list("seen".as_ref()).unwrap_or_default();
    let files: std::collections::BTreeSet<String> = listed.into_iter().collect();
    assert_eq!(files, manifest.files(), "nothing is left behind");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn behaves_as_a_map(bucket_bits in 0u8..4, steps in proptest::collection::vec(step(), 0..300)) {
        check(bucket_bits, steps);
    }
}
