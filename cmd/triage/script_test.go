package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/gotriage/triage/internal/fetch/kubectltest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"triage": func() {
			paceCollector(os.Getenv)
			code := Main(context.Background(), os.Args[1:], Std{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv})
			tellPeak()
			os.Exit(code)
		},
		"kubectl": func() {
			if calls := os.Getenv(callsEnv); calls != "" {
				os.Exit(recordKubectl(calls, os.Args[1:]))
			}
			os.Exit(kubectltest.Main(os.Args[1:]))
		},
	})
}

func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPO", root)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exit":   cmdExit,
			"gzip":   cmdGzip,
			"cut":    cmdCut,
			"change": cmdChange,
			"schema": cmdSchema,
			"serve":  cmdServe,
		},
	})
}

// cmdExit runs a program and checks its exit status: exit 4 triage app.log. Of the script's environment PATH, HOME and
// variables for flags count.
func cmdExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit STATUS PROGRAM [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	program := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p, err := exec.LookPath(filepath.Join(dir, args[1])); err == nil && program == "" {
			program = p
		}
	}
	if program == "" {
		ts.Fatalf("no %s in PATH", args[1])
	}
	cmd := exec.Command(program, args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TRIAGE_OUTPUT", "TRIAGE_FAIL_ON"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Stdout, cmd.Stderr = ts.Stdout(), ts.Stderr()
	got := 0
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

// cmdGzip compresses its first argument into its second.
func cmdGzip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: gzip FROM TO")
	}
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	_, err := zw.Write([]byte(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(zw.Close())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), buf.Bytes(), 0o644))
}

// cmdChange copies a file and changes a text in it: change OLD NEW FROM TO.
func cmdChange(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: change OLD NEW FROM TO")
	}
	text := ts.ReadFile(args[2])
	if !strings.Contains(text, args[0]) {
		ts.Fatalf("%s has no %q", args[2], args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[3]), []byte(strings.ReplaceAll(text, args[0], args[1])), 0o644))
}

// cmdCut copies the first bytes of a file.
func cmdCut(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: cut FROM BYTES TO")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(text[:min(n, len(text))]), 0o644))
}

// cmdSchema validates a JSON report against the published schema.
func cmdSchema(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: schema REPORT")
	}
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join(ts.Getenv("REPO"), "docs", "report.schema.json"))
	ts.Check(err)
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(ts.ReadFile(args[0])))
	ts.Check(err)
	ts.Check(schema.Validate(doc))
}
