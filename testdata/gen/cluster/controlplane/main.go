// Command controlplane is kube-apiserver, kube-controller-manager and kube-scheduler in one binary:
// it runs the one that its own name or its first argument says. One binary links in a third of the time.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	// API servers and leaders name themselves after their host. Each is started in a UTS namespace of its own.
	if host := os.Getenv("NODE_NAME"); host != "" {
		if err := syscall.Sethostname([]byte(host)); err != nil {
			fmt.Fprintln(os.Stderr, "controlplane: setting the host name:", err)
			os.Exit(1)
		}
	}
	command := byName(filepath.Base(os.Args[0]))
	if command == nil && len(os.Args) > 1 {
		command = byName(os.Args[1])
		os.Args = os.Args[1:]
	}
	if command == nil {
		fmt.Fprintln(os.Stderr, "usage: controlplane kube-apiserver|kube-controller-manager|kube-scheduler [flags]")
		os.Exit(2)
	}
	os.Exit(cli.Run(command))
}

// byName returns the command of a component, nil for another name.
func byName(name string) *cobra.Command {
	switch name {
	case "kube-apiserver":
		return apiserver.NewAPIServerCommand()
	case "kube-controller-manager":
		return manager.NewControllerManagerCommand()
	case "kube-scheduler":
		return scheduler.NewSchedulerCommand()
	}
	return nil
}
