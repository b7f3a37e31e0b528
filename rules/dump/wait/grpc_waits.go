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

// grpcNoDeadline is grpc-call-without-deadline (TR425).
func grpcNoDeadline(c *calls) *rules.Rule {
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
	return c.rule("TR425", "grpc-call-without-deadline", rules.Leak, rules.Medium, waiting, func(w *waiters) account {
		if longPoll().MatchString(w.blame.Culprit.Function) {
			return account{}
		}
		return account{
			level: callSeverity(w),
			act:   w.fill("waits for a gRPC answer without a deadline: {count}{span}"),
			why:   w.fill("{waits} in a unary gRPC call below {in}{span}, and no deadline has ended that."),
			fix: w.fill("Give the call in {in} a context with a deadline (context.WithTimeout), and set " +
				"keepalive.ClientParameters, so that a dead connection is noticed."),
			next: secondDump(w.d.Target),
		}
	})
}

// minStreams is how many streams of one kind a connection carries before they are a leak: HTTP/2 recommends that a
// server allows at least 100 at a time (RFC 9113, 6.5.2), so that no sound design counts on more to one server.
const minStreams = 100

// grpcStreamLeak is grpc-stream-leak (TR426).
func grpcStreamLeak(c *calls) *rules.Rule {
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
	connections := c.compile(onStack("google.golang.org/grpc/internal/transport.(*http2Client).reader"))
	return c.rule("TR426", "grpc-stream-leak", rules.Leak, rules.Medium, waiting, func(w *waiters) account {
		if w.count < minStreams || w.blame.Creator == "" {
			return account{}
		}
		conns := max(1, w.countIn(connections))
		left := w.orphans()
		if left < minStreams*conns {
			return account{}
		}
		return account{
			level: level{rules.Medium, rules.ConfMedium},
			act:   fmt.Sprintf("leaves %d gRPC streams open", left),
			why: fmt.Sprintf("%d goroutines receive in %s from gRPC streams over %s%s. Each was started by %s, "+
				"which is on no stack of the goroutine that called it: it has returned, and left the stream and "+
				"its goroutines behind.",
				left, w.in(), phrase.Plural(conns, "connection"), w.span(), rules.PlainName(w.blame.Creator)),
			fix: fmt.Sprintf("Make the stream's context with context.WithCancel and cancel it on all ways out "+
				"of %s, or receive until io.EOF before it returns.", rules.PlainName(w.blame.Creator)),
			next: secondDump(w.d.Target),
		}
	})
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

// grpcDialBlocked is grpc-dial-blocked (TR427).
func grpcDialBlocked(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At:      []string{"google.golang.org/grpc.DialContext", "google.golang.org/grpc.Dial"},
		Through: []string{"google.golang.org/grpc.*", "google.golang.org/grpc/internal/**"},
		Class:   []stackparse.Class{stackparse.ClassSelect, stackparse.ClassChanReceive},
	})
	return c.rule("TR427", "grpc-dial-blocked", rules.Contention, rules.Medium, waiting, func(w *waiters) account {
		ch := account{
			act: w.fill("blocks in a gRPC dial that gets no connection{span}"),
			why: w.fill("{waits} in grpc.DialContext below {in}{span} for a connection to get ready, and no deadline " +
				"has ended that."),
			fix: w.fill("In {in} dial with grpc.NewClient, which does not block, and give calls a deadline; check " +
				"the address and the certificates it dials with."),
			next: append([]rules.Step{w.d.Target.Logs()}, secondDump(w.d.Target)...),
		}
		if w.since(longMinutes) > 0 {
			ch.level = level{rules.Medium, rules.ConfMedium}
		}
		return ch
	})
}

// grpcStreamQuota is grpc-stream-limit (TR428).
func grpcStreamQuota(c *calls) *rules.Rule {
	waiting := c.compile(match.Match{
		At:    []string{"google.golang.org/grpc/internal/transport.(*http2Client).NewStream"},
		Class: []stackparse.Class{stackparse.ClassSelect},
	})
	open := c.compile(match.Match{At: grpcAnswer(), Class: []stackparse.Class{stackparse.ClassSelect,
		stackparse.ClassChanReceive}})
	return c.rule("TR428", "grpc-stream-limit", rules.Contention, rules.Medium, waiting, func(w *waiters) account {
		return account{
			level: queueSeverity(w),
			act:   w.fill("queues for a gRPC stream: {count}{span}"),
			why: fmt.Sprintf("%s below %s%s because its connection carries as many streams as the server allows "+
				"at a time; %d goroutines wait for messages of open ones.", w.waits(), w.in(), w.span(),
				w.countIn(open)),
			fix: w.fill("Find the streams that are never ended, give the calls of {in} a deadline, and use several " +
				"connections where the load needs them."),
			next: secondDump(w.d.Target),
		}
	})
}
