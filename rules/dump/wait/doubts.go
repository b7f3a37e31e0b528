package wait

import "github.com/gotriage/triage/rules/dump/account"

type doubt = account.Doubt

// The doubts of these rules, by what speaks for another reason: the goroutines themselves, others in the dump, or what
// no dump shows.
const (
	noAge doubt = "No goroutine header shows three minutes or more, and headers can be off by two minutes."
	// youngWait is what others that have waited for minutes show of a wait without any.
	youngWait doubt = "Other goroutines show how long they have waited and this one does not, so its wait is " +
		"under a minute."
	timerToCome doubt = "No goroutine header shows three minutes or more, and a timer's function, which is on no " +
		"stack, may end the wait."
	fewCalls  doubt = "They are few: a slow answer or a network failure looks the same."
	allAtOnce doubt = "They began together: calls that a program makes at startup and leaves open look the same."
	oneEach   doubt = "Just as many connections are open, so there may be one goroutine for each connected client."

	slotBack doubt = "A timer's function or a message from outside, neither of which is on a stack, may give a " +
		"slot back."
	oneForEach doubt = "Each may belong to a client, a tenant or a task that is still there."
	pipeOpens  doubt = "A reader of a named pipe also waits like this, until a writer opens it."

	partOfDump   doubt = "This dump is incomplete: a missing goroutine may end the wait."
	mayBeHidden  doubt = "The dump leaves out the stack of a running goroutine, which may hold the lock."
	passesOn     doubt = "The caller passes answers on to a client, which may be in a long poll."
	standsBy     doubt = "A standby that is meant to take over from another process waits for such a lock too."
	silentFew    doubt = "They are few: any client may stay silent."
	furtherOn    doubt = "Another goroutine is further on in the same function and may return its connection."
	anyCaller    doubt = "Several functions wait for a connection: any of them, or another function, may have kept it."
	eventToCome  doubt = "They may wait for a later event, such as another request."
	restsBetween doubt = "The type's name suggests items that rest between two uses, such as keys, accounts or proxies."
	workerGoesOn doubt = "Another goroutine of the program is active: it may still come to receive these values."
	streamStage  doubt = "The last stage of the pipeline may be a later request, or may start on a signal."
	tickToCome   doubt = "A goroutine of the program waits in a select: it may receive at its next tick."
	mayBePeer    doubt = "The reader may be another goroutine of the same kind, which waits elsewhere."
	tickToTake   doubt = "A receiver that runs on a timer may still take these values."
	fewReaders   doubt = "A few goroutines may read many responses in turn."
	shutdownEnds doubt = "Shutdown returns when its context ends, and does not wait for hijacked connections."
	doneByTimer  doubt = "A timer's function, which is on no stack, may still call Done."
	oneCollector doubt = "The profile shows no channels: one goroutine may receive from all of them in turn."

	// Of those who wait for something other than a lock.
	mayBeTaken doubt = "Other goroutines in that code are active, and may come back for these values, as for a " +
		"next page."
	likePipeline doubt = "The stages of a pipeline look the same: each sends on a channel of its own."
	onItsWay     doubt = "The test is still running, and no goroutine header shows minutes: the answer may be on " +
		"its way."
	notForLong  doubt = "None of them has waited for five minutes."
	momentApart doubt = "The dumps may be only a moment apart: requests in flight and a filling pool look the same."
	inOrder     doubt = "Each {role}, which is normal: the growth may be new clients."

	mayBeOutside  doubt = "Goroutines of other packages are in a call: one of them may have been handed a lock."
	mayHoldAsleep doubt = "{sleeper} sleeps at {sleeperAt}, {sleeperReason}: it may hold the lock."
	mayBeTick     doubt = "One of the select's channels may belong to a timer."
	mayBeWaiter   doubt = "An outer call of a waiter is as likely to hold the lock."
	mayBeMissing  doubt = "This dump is incomplete: a missing goroutine may hold the lock."
	mayBeParked   doubt = "Another goroutine, which waits for no lock, is as likely to hold it."
	mayBeHanded   doubt = "{other} {otherDoes} at {otherAt}: it may have been handed the lock, and may release it."
	mayBeBeside   doubt = "Another goroutine is at work in the callers' code and may hold the lock."
	byTimer       doubt = "Several wait in the same calls, and at most one of them holds the lock: a timer's " +
		"function may release it."
	mayBeRival   doubt = "Another goroutine that may hold the lock is active."
	mayHaveOther doubt = "The supposed holder was already waiting before the others arrived: it may hold another " +
		"lock, or none."
	holderYoung doubt = "Nothing shows how long the holder has waited: its wait may still end."
	weakHolder  doubt = "Nothing shows that this goroutine takes the lock: a return may have left it locked."
	lockMoves   doubt = "The holder, or a goroutine that has just got the lock, is active: the lock changes hands."
	runByRun    doubt = "The lock is there to serialize runs, and the run that holds it is still active."
	queueMoves  doubt = "None has waited for long: the queue may be moving."
	childWorks  doubt = "The child works outside this process: a build or a migration may take that long."
)
