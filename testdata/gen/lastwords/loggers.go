package main

import (
	"bytes"
	"fmt"
	"log"
	"log/slog"
	"os"
	"strings"

	"github.com/rs/zerolog"
	"github.com/sirupsen/logrus"
	"go.uber.org/zap"
	"k8s.io/klog/v2"
)

// A logger is one of the libraries, as programs set it up.
type logger interface {
	info(msg string, keys ...any)
	// failed logs an error and goes on; fatal logs it as programs with this library do before they exit.
	failed(err error, msg string)
	fatal(err error, msg string)
}

func libOf(name string) string {
	lib, _, _ := strings.Cut(name, "-")
	return lib
}

func newLogger(lib string) logger {
	switch lib {
	case "log":
		return plain{log.New(os.Stderr, "", log.LstdFlags)}
	case "slogtext":
		return structured{slog.New(slog.NewTextHandler(os.Stdout, nil))}
	case "slogjson":
		return structured{slog.New(slog.NewJSONHandler(os.Stdout, &slog.HandlerOptions{AddSource: true}))}
	case "zapjson":
		l, err := zap.NewProduction()
		must(err)
		return zapped{l}
	case "zapconsole":
		l, err := zap.NewDevelopment()
		must(err)
		return zapped{l}
	case "zerolog":
		return zero{zerolog.New(os.Stderr).With().Timestamp().Logger()}
	case "logrustext", "logrusjson":
		l := logrus.New()
		if lib == "logrusjson" {
			l.SetFormatter(&logrus.JSONFormatter{})
		}
		return rus{l}
	case "klog":
		return k{}
	}
	return bare{}
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

type plain struct{ *log.Logger }

func (l plain) info(msg string, keys ...any) { l.Println(append([]any{msg}, keys...)...) }
func (l plain) failed(err error, msg string) { l.Printf("%s: %v", msg, err) }
func (l plain) fatal(err error, msg string) {
	if msg == "" {
		l.Fatal(err)
	}
	l.Fatalf("%s: %v", msg, err)
}

type structured struct{ *slog.Logger }

func (l structured) info(msg string, keys ...any) { l.Info(msg, keys...) }
func (l structured) failed(err error, msg string) { l.Error(msg, "error", err) }
func (l structured) fatal(err error, msg string) {
	l.Error(msg, "err", err)
	os.Exit(1)
}

type zapped struct{ *zap.Logger }

func (l zapped) info(msg string, keys ...any) { l.Sugar().Infow(msg, keys...) }
func (l zapped) failed(err error, msg string) { l.Error(msg, zap.Error(err)) }
func (l zapped) fatal(err error, msg string) {
	if strings.Contains(msg, "manager") || strings.Contains(msg, "controller") {
		l.Named("setup").Error(msg, zap.Error(err))
		os.Exit(1)
	}
	l.Fatal(msg, zap.Error(err))
}

type zero struct{ zerolog.Logger }

func (l zero) info(msg string, keys ...any) { l.Info().Fields(keys).Msg(msg) }
func (l zero) failed(err error, msg string) { l.Error().Err(err).Msg(msg) }
func (l zero) fatal(err error, msg string)  { l.Fatal().Err(err).Msg(msg) }

type rus struct{ *logrus.Logger }

func (l rus) info(msg string, keys ...any) {
	fields := logrus.Fields{}
	for i := 0; i+1 < len(keys); i += 2 {
		fields[fmt.Sprint(keys[i])] = keys[i+1]
	}
	l.WithFields(fields).Info(msg)
}
func (l rus) failed(err error, msg string) { l.WithError(err).Error(msg) }
func (l rus) fatal(err error, msg string)  { l.WithError(err).Fatal(msg) }

type k struct{}

func (k) info(msg string, keys ...any) { klog.InfoS(msg, keys...) }
func (k) failed(err error, msg string) { klog.ErrorS(err, msg) }
func (k) fatal(err error, msg string) {
	if msg == "command failed" {
		klog.ErrorS(err, msg)
		klog.FlushAndExit(klog.ExitFlushTimeout, 1)
	}
	klog.Exitf("%s: %v", msg, err)
}

// bare writes to stderr without a logger.
type bare struct{}

func (bare) info(msg string, keys ...any) {
	var b bytes.Buffer
	fmt.Fprintln(&b, append([]any{msg}, keys...)...)
	_, _ = os.Stderr.Write(b.Bytes())
}
func (bare) failed(err error, msg string) { fmt.Fprintf(os.Stderr, "warning: %s: %v\n", msg, err) }
func (bare) fatal(err error, msg string) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", msg, err)
	os.Exit(1)
}
