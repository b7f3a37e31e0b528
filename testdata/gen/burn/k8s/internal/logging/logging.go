// Package logging logs and counts more than it should.
package logging

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	pkgerrors "github.com/pkg/errors"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/sirupsen/logrus"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"k8s.io/klog/v2"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"example.com/fixtures/burn/k8s/internal/ops"
	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		ops.Kind("zap-caller", "zap with caller and stack for every line", `^go\.uber\.org/zap`, "logging.(*ZapReconciler).Reconcile", startZap),
		ops.Kind("slog-source", "slog with the source of every line", `^log/slog\.`, "logging.(*SlogReconciler).Reconcile", startSlog),
		ops.Kind("klog-lines", "klog lines for every step", `^k8s\.io/klog/v2\.`, "logging.(*KlogReconciler).Reconcile", startKlog),
		ops.Kind("logrus-disabled", "logrus fields made for messages whose level is off", `^github\.com/sirupsen/logrus\.`, "logging.(*LogrusReconciler).trace", startLogrus),
		ops.Kind("errors-stack", "pkg/errors takes the stack of every error", `^github\.com/pkg/errors\.`, "logging.(*ErrorReconciler).check", startErrors),
		ops.Kind("prometheus-labels", "metric looked up by its labels on every call", `^github\.com/prometheus/client_golang/prometheus\.`, "logging.(*MetricReconciler).count", startMetrics),
	}
}

// lines are logged a reconcile.
const lines = 50

// A ZapReconciler logs with zap.
type ZapReconciler struct{ log *zap.Logger }

func startZap(s *run.Service) error {
	core := zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(io.Discard), zap.InfoLevel)
	return ops.Run(s, "zap", &ZapReconciler{log: zap.New(core, zap.AddCaller(), zap.AddStacktrace(zap.InfoLevel))})
}

// Reconcile is called for each object.
func (r *ZapReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	for i := 0; i < lines; i++ {
		r.log.Info("step done", zap.String("object", req.Name), zap.Int("step", i))
	}
	return reconcile.Result{}, nil
}

// A SlogReconciler logs with log/slog.
type SlogReconciler struct{ log *slog.Logger }

func startSlog(s *run.Service) error {
	f, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return ops.Run(s, "slog", &SlogReconciler{log: slog.New(slog.NewJSONHandler(f, &slog.HandlerOptions{AddSource: true}))})
}

// Reconcile is called for each object.
func (r *SlogReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	for i := 0; i < lines; i++ {
		r.log.Info("step done", "object", req.Name, "step", i)
	}
	return reconcile.Result{}, nil
}

// A KlogReconciler logs with klog.
type KlogReconciler struct{}

func startKlog(s *run.Service) error {
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	return ops.Run(s, "klog", &KlogReconciler{})
}

// Reconcile is called for each object.
func (r *KlogReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	for i := 0; i < lines; i++ {
		klog.InfoS("Step done", "object", klog.KRef(req.Namespace, req.Name), "step", i)
	}
	return reconcile.Result{}, nil
}

// A LogrusReconciler traces, though nobody listens.
type LogrusReconciler struct{ log *logrus.Logger }

func startLogrus(s *run.Service) error {
	l := logrus.New()
	l.SetOutput(io.Discard)
	l.SetLevel(logrus.InfoLevel)
	return ops.Run(s, "logrus", &LogrusReconciler{log: l})
}

// Reconcile is called for each object.
func (r *LogrusReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	for i := 0; i < lines; i++ {
		r.trace(req.Name, i)
	}
	return reconcile.Result{}, nil
}

func (r *LogrusReconciler) trace(name string, step int) {
	r.log.WithFields(logrus.Fields{"object": name, "step": step, "phase": "scan"}).WithField("node", "node-7").Debugf("step %d of %s", step, name)
}

// An ErrorReconciler wraps what is no surprise.
type ErrorReconciler struct{ missing int }

var errMissing = errors.New("not found")

func startErrors(s *run.Service) error { return ops.Run(s, "errors", &ErrorReconciler{}) }

// Reconcile is called for each object.
func (r *ErrorReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	for i := 0; i < lines; i++ {
		if errors.Is(r.check(req.Name), errMissing) {
			r.missing++
		}
	}
	return reconcile.Result{}, nil
}

func (r *ErrorReconciler) check(name string) error {
	return pkgerrors.Wrap(pkgerrors.WithStack(errMissing), name)
}

// A MetricReconciler counts.
type MetricReconciler struct{ steps *prometheus.CounterVec }

func startMetrics(s *run.Service) error {
	steps := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "steps_total"}, []string{"controller", "object", "step", "result"})
	return ops.Run(s, "metrics", &MetricReconciler{steps: steps})
}

// Reconcile is called for each object.
func (r *MetricReconciler) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	for i := 0; i < lines*4; i++ {
		r.count(req.Name, i%8)
	}
	return reconcile.Result{}, nil
}

func (r *MetricReconciler) count(name string, step int) {
	r.steps.WithLabelValues("metrics", name, fmt.Sprint("step-", step), "ok").Inc()
}
