package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/fetch"
	"github.com/gotriage/triage/rules/phrase"
)

// The names by which kubectl calls its plugin `kubectl triage`, and what completes that plugin's arguments
// (https://kubernetes.io/docs/tasks/extend-kubectl/kubectl-plugins).
const (
	pluginName    = "kubectl-triage"
	completerName = "kubectl_complete-triage"
)

// pluginArgs are the arguments of the program. Those of a plugin begin with the command kubectl.
func pluginArgs(argv []string) []string {
	switch strings.TrimSuffix(filepath.Base(argv[0]), ".exe") {
	case pluginName:
		return append([]string{kubectlCommand}, argv[1:]...)
	case completerName:
		return append([]string{cobra.ShellCompRequestCmd, kubectlCommand}, argv[1:]...)
	}
	return argv[1:]
}

const kubectlCommand = "kubectl"

const kubectlLong = `Capture pods and say what is wrong with them. If the binary is in PATH as kubectl-triage, "kubectl
triage" runs this command.

From each pod it takes the previous and the current log, the output of kubectl describe, the events, the objects of the
pod and its owners, and dumps and profiles. Dumps and profiles come from the port named pprof, or from the port in an
annotation. One report covers all pods. The capture is kept, and triage can read it again.

NAME is a pod, or deploy/NAME, sts/NAME, ds/NAME or job/NAME for all pods of a workload. -l captures the pods that a
label selector matches, and -A those of all namespaces. --unhealthy captures only pods that crash, can't start, are not
ready or ended in the last hour. Pods in trouble come first, and at most --max-pods are captured.

A CPU profile and goroutine dumps slow the process down, so triage asks before it takes them. --pprof answers yes in
advance. Without a terminal to ask on, triage takes none. Everything goes through your own kubectl. triage changes
nothing in the cluster: it prints commands that would end a process, but never runs them.

Exit status: as for triage; 3 if a pod returned nothing.`

const kubectlExample = `  kubectl triage web-7d4b9c-x2x7k -n shop
  kubectl triage deploy/web -n shop --pprof
  kubectl triage -l app=web -n shop --context prod
  kubectl triage -A --unhealthy`

func newKubectl(std Std, code *int) *cobra.Command {
	f := &fetchFlags{report: newFlags()}
	cmd := f.command(std, code)
	cmd.Use, cmd.Short = "kubectl NAME", "capture pods with their logs, events and objects, and report on them"
	cmd.Long, cmd.Example = kubectlLong, kubectlExample
	cmd.Args = func(_ *cobra.Command, args []string) error {
		return f.checkArgs(args, "kubectl triage POD, kubectl triage deploy/NAME, or kubectl triage -A --unhealthy")
	}
	f.plan.Objects, f.pods = true, true
	cmd.Flags().BoolVar(&f.pprof, "pprof", false, "take dumps and profiles without asking; with =false, take none")
	complete := func(command ...string) cobra.CompletionFunc {
		return func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
			offers := fetch.Complete(cmd.Context(), f.cluster, append(command, word)...)
			return offers, cobra.ShellCompDirectiveNoFileComp
		}
	}
	cmd.ValidArgsFunction = complete("logs") // pods, and TYPE/NAME of what has pods
	// The only error is that of a flag that does not exist or is registered twice: a test runs every completion.
	_ = cmd.RegisterFlagCompletionFunc("namespace", complete("get", "namespaces"))
	_ = cmd.RegisterFlagCompletionFunc("context", complete("config", "use-context"))
	return cmd
}

// consent decides whether fetch takes dumps and profiles from pods, or asks the user first.
func (f *fetchFlags) consent(cmd *cobra.Command, std Std, screen *fetchScreen, o *fetch.Options) {
	switch {
	case !f.pods:
		return
	case cmd.Flags().Changed("pprof") || !isTerminal(std.In):
		o.Declined = !f.pprof
		return
	}
	o.Agree = func(ctx context.Context, pods []string) bool {
		return screen.ask(ctx, std.In, "ask "+phrase.Some(pods, 3)+" for dumps and profiles? [y/N] ")
	}
}

// ask asks a question on the terminal and reports whether the answer is yes. Nothing else is written meanwhile.
func (s *fetchScreen) ask(ctx context.Context, in io.Reader, question string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	fmt.Fprint(s.w, "triage: "+question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(in).ReadString('\n') // without an answer the line is empty, which means no
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case line := <-answer:
		return line == "y" || line == "yes"
	case <-ctx.Done():
		return false
	}
}
