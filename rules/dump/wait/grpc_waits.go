package wait

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/match"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// grpcRules are the rules about calls and streams of grpc-go.
func grpcRules(c *calls) []*rules.Rule {
	return []*rules.Rule{grpcNoDeadline(c), grpcStreamLeak(c), grpcDialBlocked(c), grpcStreamQuota(c)}
}

// grpcAnswer are the functions in which a client waits for what its server sends, by release of grpc-go.
func grpcAnswer() []string {
	return []string{
		"google.golang.org/grpc/internal/transport.(*recvBufferReader).*",
		"google.golang.org/grpc/internal/transport.(*Stream).waitOnHeader",
		"google.golang.org/grpc/internal/transport.(*ClientStream).waitOnHeader",
		"google.golang.org/grpc/internal/transport.(*Stream).Header",
		"google.golang.org/grpc/internal/transport.(*ClientStream).Header",
	}
}

// grpcInvoke are the functions that make a unary call.
func grpcInvoke() []string {
	return []string{"google.golang.org/grpc.invoke", "google.golang.org/grpc.Invoke",
		"google.golang.org/grpc.(*ClientConn).Invoke"}
}

// grpcNoDeadline is TR425.
func grpcNoDeadline(c *calls) *rules.Rule {
	const id = "TR425"
	waiting := c.compile(
		match.Match{
			At: grpcAnswer(), Frames: match.FramesMatch{Any: grpcInvoke()},
			Class:  []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
			Except: []match.Match{calledBack()},
		},
		// A call that waits for a connection: with WaitForReady, or while one is being made.
		match.Match{
			At: []string{"google.golang.org/grpc.(*pickerWrapper).pick"}, Frames: match.FramesMatch{Any: grpcInvoke()},
			Class:  []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
			Except: []match.Match{calledBack()},
		},
	)
	return &rules.Rule{
		ID: id, Name: "grpc-call-without-deadline", Category: rules.Leak, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(_ *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			if longPoll().MatchString(w.blame.Culprit.Function) {
				return waitFinding{}
			}
			ch := waitFinding{
				act: fmt.Sprintf("waits for a gRPC answer without a deadline: %s%s", phrase.CountGoroutines(w.count),
					w.span()),
				why: fmt.Sprintf("%s in a unary gRPC call below %s%s, and no deadline has ended that.", w.waits(),
					w.in(), w.span()),
				fix: fmt.Sprintf("Give the call in %s a context with a deadline (context.WithTimeout), and set "+
					"keepalive.ClientParameters, so that a dead connection is noticed.", w.in()),
				next: secondDump(w.d.Target),
			}
			ch.severity, ch.confidence = callSeverity(w)
			return ch
		}),
	}
}

// minStreams is how many streams of one kind a connection carries before they are a leak: HTTP/2 recommends that a
// server allows at least 100 at a time (RFC 9113, 6.5.2), so that no sound design counts on more to one server.
const minStreams = 100

// grpcStreamLeak is TR426.
func grpcStreamLeak(c *calls) *rules.Rule {
	const id = "TR426"
	waiting := c.compile(match.Match{
		At:    grpcAnswer(),
		Class: []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
		Frames: match.FramesMatch{
			Any: []string{"google.golang.org/grpc.(*clientStream).RecvMsg",
				"google.golang.org/grpc.(*addrConnStream).RecvMsg"},
			None: grpcInvoke(),
		},
		Except: []match.Match{{Creator: []string{"google.golang.org/grpc/**"}}},
	})
	connections := c.compile(match.Match{
		Frames: match.FramesMatch{Any: []string{"google.golang.org/grpc/internal/transport.(*http2Client).reader"}},
	})
	return &rules.Rule{
		ID: id, Name: "grpc-stream-leak", Category: rules.Leak, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			if w.count < minStreams || w.blame.Creator == "" {
				return waitFinding{}
			}
			conns := max(1, s.count(connections))
			left := w.orphans()
			if left < minStreams*conns {
				return waitFinding{}
			}
			return waitFinding{
				severity: rules.Medium, confidence: rules.ConfMedium,
				act: fmt.Sprintf("leaves %d gRPC streams open", left),
				why: fmt.Sprintf("%d goroutines receive in %s from gRPC streams over %s%s. Each was started by %s, "+
					"which is on no stack of the goroutine that called it: it has returned, and left the stream and "+
					"its goroutines behind.",
					left, w.in(), phrase.Plural(conns, "connection"), w.span(), rules.PlainName(w.blame.Creator)),
				fix: fmt.Sprintf("Make the stream's context with context.WithCancel and cancel it on all ways out "+
					"of %s, or receive until io.EOF before it returns.", rules.PlainName(w.blame.Creator)),
				next: secondDump(w.d.Target),
			}
		}),
	}
}

// orphans counts the waiters whose creator, the function with the go statement, is over: the goroutine that ran it is
// gone, or its stack holds that function no more. Headers name that goroutine since Go 1.21; without a name no one is
// an orphan.
func (w *waiters) orphans() int {
	running := map[uint64]bool{} // goroutines that are still in the creator
	creator := rules.PlainName(w.blame.Creator)
	for _, b := range w.d.Buckets {
		if !hasFunction(b, creator) {
			continue
		}
		for i := range b.Goroutines {
			running[b.Goroutines[i].ID] = true
		}
	}
	n := 0
	for _, b := range w.buckets {
		for i := range b.Goroutines {
			if parent := b.Goroutines[i].Parent; parent != 0 && !running[parent] {
				n++
			}
		}
	}
	return n
}

// hasFunction reports whether a stack holds a function, by its plain name, or may hold it where frames are missing.
func hasFunction(b *stackparse.Bucket, plain string) bool {
	for i := range b.Frames {
		if b.Frames[i].Elided != 0 || rules.PlainName(b.Frames[i].Func) == plain {
			return true
		}
	}
	return false
}

// grpcDialBlocked is TR427.
func grpcDialBlocked(c *calls) *rules.Rule {
	const id = "TR427"
	waiting := c.compile(match.Match{
		At:      []string{"google.golang.org/grpc.DialContext", "google.golang.org/grpc.Dial"},
		Through: []string{"google.golang.org/grpc.*", "google.golang.org/grpc/internal/**"},
		Class:   []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
	})
	return &rules.Rule{
		ID: id, Name: "grpc-dial-blocked", Category: rules.Contention, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(_ *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			ch := waitFinding{
				act: fmt.Sprintf("blocks in a gRPC dial that gets no connection%s", w.span()),
				why: fmt.Sprintf("%s in grpc.DialContext below %s%s for a connection to get ready, and no deadline "+
					"has ended that.", w.waits(), w.in(), w.span()),
				fix: fmt.Sprintf("In %s dial with grpc.NewClient, which does not block, and give calls a deadline; "+
					"check the address and the certificates it dials with.", w.in()),
				next: append([]rules.Step{w.d.Target.Logs()}, secondDump(w.d.Target)...),
			}
			if w.since(longMinutes) > 0 {
				ch.severity, ch.confidence = rules.Medium, rules.ConfMedium
			}
			return ch
		}),
	}
}

// grpcStreamQuota is TR428.
func grpcStreamQuota(c *calls) *rules.Rule {
	const id = "TR428"
	waiting := c.compile(match.Match{
		At:    []string{"google.golang.org/grpc/internal/transport.(*http2Client).NewStream"},
		Class: []stackparse.Class{stackparse.ClassSelect},
	})
	open := c.compile(match.Match{At: grpcAnswer(), Class: []stackparse.Class{stackparse.ClassSelect,
		stackparse.ClassChanReceive}})
	return &rules.Rule{
		ID: id, Name: "grpc-stream-limit", Category: rules.Contention, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: waitRun(c, id, waiting, func(s *dumpIndex, w *waiters, _ []*waiters) waitFinding {
			ch := waitFinding{
				act: fmt.Sprintf("queues for a gRPC stream: %s%s", phrase.CountGoroutines(w.count), w.span()),
				why: fmt.Sprintf("%s below %s%s because its connection carries as many streams as the server allows "+
					"at a time; %d goroutines wait for messages of open ones.", w.waits(), w.in(), w.span(),
					s.count(open)),
				fix: fmt.Sprintf("Find the streams that are never ended, give the calls of %s a deadline, and use "+
					"several connections where the load needs them.", w.in()),
				next: secondDump(w.d.Target),
			}
			ch.severity, ch.confidence = queueSeverity(w)
			return ch
		}),
	}
}
