//! Decisions without Redis.

use crate::call::{Call, Decision, Operation};
use crate::counts::Count;

/// Decides on a call by the counts in memory.
pub fn decide(count: &Count, Call { operation, uptime }: Call) -> Decision<u64> {
    let used = count.total();
    match operation {
        Operation::Refund => Decision::Done(count.refund()),
        Operation::AdmitUncounted => match count.second.admit(uptime) {
            Some(_) => Decision::Done(used),
            None => Decision::SecondIsFull(used),
        },
        Operation::Admit(most) if used >= most => Decision::MonthIsFull(used),
        Operation::Admit(most) => {
            let Some(place) = count.second.admit(uptime) else { return Decision::SecondIsFull(used) };
            let Some(used) = count.add_up_to(most) else {
                count.second.release(place);
                return Decision::MonthIsFull(count.total());
            };
            Decision::Done(used)
        }
    }
}

/// Decides on a call whose request to Redis had no reply. Redis may have counted it: a call that is refused here is counted and
/// refunded, which comes to the same in either case.
pub fn decide_after_silence(count: &Count, call: Call) -> Decision<u64> {
    let decision = decide(count, call);
    if let (Operation::Admit(_), Decision::SecondIsFull(_) | Decision::MonthIsFull(_)) = (call.operation, decision) {
        count.add();
        count.refund();
    }
    decision
}
