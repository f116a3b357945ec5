use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Who performs long actions on a state of its own: the one who asks, at once; or a thread, while virtual time goes on to
/// the moment at which the action ends. What comes of it is the same, since it depends on the state and on the order of
/// the actions alone.
pub(crate) enum Hand<S> {
    /// The one who asks.
    Own(S),
    /// A thread.
    Hired(Hired<S>),
}

/// A thread that is woken once for all that there is to do at one moment.
pub(crate) struct Hired<S> {
    sender: SyncSender<Vec<Task<S>>>,
    /// What it has not been told yet.
    tasks: Vec<Task<S>>,
}

type Task<S> = Box<dyn FnOnce(&mut S) + Send>;

/// What will come of an action.
pub(crate) enum Promise<T> {
    /// It is done.
    Kept(T),
    /// A thread is at it.
    Made(Receiver<T>),
}

/// Moments whose actions wait for a thread before the one who asks does: enough to keep it busy.
const MOMENTS: usize = 64;

impl<S> Hand<S> {
    /// Performs an action, after those that were given before it; a thread does when it is told to [`begin`](Self::begin).
    pub(crate) fn give<T: Send + 'static>(
        &mut self,
        action: impl FnOnce(&mut S) -> T + Send + 'static,
    ) -> Promise<T> {
        match self {
            Self::Own(state) => Promise::Kept(action(state)),
            Self::Hired(hired) => {
                let (done, promise) = sync_channel(1);
                let task: Task<S> = Box::new(move |state| {
                    // Nobody waits any more: the simulation is over.
                    let _ = done.send(action(state));
                });
                hired.tasks.push(task);
                Promise::Made(promise)
            }
        }
    }

    /// What was given is to be done.
    pub(crate) fn begin(&mut self) {
        if let Self::Hired(Hired { sender, tasks }) = self
            && !tasks.is_empty()
        {
            sender.send(std::mem::take(tasks)).expect("the thread lives as long as its hand");
        }
    }

    /// Performs an action and waits for it.
    pub(crate) fn ask<T: Send + 'static>(&mut self, action: impl FnOnce(&mut S) -> T + Send + 'static) -> T {
        let promise = self.give(action);
        self.begin();
        promise.take()
    }
}

impl<S: Send + 'static> Hand<S> {
    /// Gives a state to a thread.
    pub(crate) fn hire(self) -> Self {
        let Self::Own(mut state) = self else { return self };
        let (sender, tasks) = sync_channel::<Vec<Task<S>>>(MOMENTS);
        thread::spawn(move || tasks.into_iter().flatten().for_each(|task| task(&mut state)));
        Self::Hired(Hired { sender, tasks: Vec::new() })
    }
}

impl<T> Promise<T> {
    /// Waits for it, if it must.
    pub(crate) fn take(self) -> T {
        match self {
            Self::Kept(value) => value,
            Self::Made(promise) => promise.recv().expect("a thread that dies takes the simulation along"),
        }
    }
}
