// Command gateway traces the requests it forwards, and takes a new tracer provider when the settings change.
//
// Report: https://github.com/open-telemetry/opentelemetry-go/issues/3890
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"wild/kit"
)

// An exporter counts spans. It traces its own work with the provider it works for, as instrumented clients do.
type exporter struct {
	tp    *sdk.TracerProvider
	spans atomic.Int64
}

func (e *exporter) ExportSpans(ctx context.Context, spans []sdk.ReadOnlySpan) error {
	_, span := e.tp.Tracer("exporter").Start(ctx, "export")
	defer span.End()
	e.spans.Add(int64(len(spans)))
	log.Printf("%d spans exported", len(spans))
	return nil
}

func (e *exporter) Shutdown(ctx context.Context) error { return nil }

func newProvider() *sdk.TracerProvider {
	e := new(exporter)
	tp := sdk.NewTracerProvider(sdk.WithBatcher(e, sdk.WithBatchTimeout(time.Minute)))
	e.tp = tp
	return tp
}

// forward is one request.
func forward(ctx context.Context, tracer trace.Tracer) {
	_, span := tracer.Start(ctx, "forward")
	defer span.End()
	time.Sleep(5 * time.Millisecond)
}

// accept forwards requests at a steady pace, with the tracer it was given.
func accept(ctx context.Context, tracer trace.Tracer) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			forward(ctx, tracer)
		case <-ctx.Done():
			return
		}
	}
}

// shutdown ends a provider once all its spans are exported.
func shutdown(ctx context.Context, tp *sdk.TracerProvider) {
	if err := tp.Shutdown(ctx); err != nil {
		log.Printf("tracing: %v", err)
	}
	log.Print("provider ended")
}

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()

	before, after := newProvider(), newProvider()
	forward(ctx, before.Tracer("gateway"))
	go accept(ctx, after.Tracer("gateway"))
	time.AfterFunc(2*time.Second, func() { shutdown(context.Background(), before) })
	<-ctx.Done()
}
