// Command operator is a manager of controller-runtime with two controllers, over a fake API server in a second process:
//
//	operator idle             nothing ever changes
//	operator busy             objects change all the time, and each reconcile asks the API server several times
//	operator apiserver KIND   the second process
package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"example.com/operator/internal/apiserver"
	"example.com/operator/internal/controller"
	"example.com/well/dumper"
)

func main() {
	kind := strings.Join(os.Args[1:], " ")
	if rest, ok := strings.CutPrefix(kind, "apiserver "); ok {
		s := apiserver.Start(rest == "busy")
		fmt.Println(s.URL)
		bufio.NewReader(os.Stdin).ReadString('\n')
		return
	}
	if err := run(kind); err != nil {
		fmt.Fprintln(os.Stderr, "operator:", err)
		os.Exit(1)
	}
}

func run(kind string) error {
	url, api, err := startAPI(kind)
	if err != nil {
		return err
	}
	defer api.Close()
	ctrl.SetLogger(zap.New(zap.WriteTo(io.Discard)))
	config := &rest.Config{
		Host: url, QPS: 400, Burst: 400, TLSClientConfig: rest.TLSClientConfig{Insecure: true},
		ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	}
	mgr, err := ctrl.NewManager(config, manager.Options{
		MapperProvider:         func(*rest.Config, *http.Client) (meta.RESTMapper, error) { return mapper(), nil },
		Metrics:                server.Options{BindAddress: "127.0.0.1:0"},
		HealthProbeBindAddress: "127.0.0.1:0",
	})
	if err != nil {
		return fmt.Errorf("making the manager: %w", err)
	}
	if err := controller.Add(mgr); err != nil {
		return err
	}
	go func() {
		<-mgr.Elected()
		time.Sleep(500 * time.Millisecond) // the informers' first lists
		dumper.Ready()
	}()
	return mgr.Start(ctrl.SetupSignalHandler())
}

// mapper knows the resources without asking.
func mapper() meta.RESTMapper {
	m := meta.NewDefaultRESTMapper([]schema.GroupVersion{corev1.SchemeGroupVersion, appsv1.SchemeGroupVersion})
	for _, gv := range []schema.GroupVersion{corev1.SchemeGroupVersion, appsv1.SchemeGroupVersion} {
		for kind := range scheme.Scheme.KnownTypes(gv) {
			m.Add(gv.WithKind(kind), meta.RESTScopeNamespace)
		}
	}
	return m
}

// startAPI starts this program again as the fake API server, and returns its URL. The server ends when the pipe that
// is returned too is closed, by the end of this process at the latest.
func startAPI(kind string) (string, io.Closer, error) {
	cmd := exec.Command(os.Args[0], "apiserver", kind)
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, fmt.Errorf("making a pipe: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, fmt.Errorf("making a pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("starting the API server: %w", err)
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return "", nil, fmt.Errorf("reading the API server's URL: %w", err)
	}
	return strings.TrimSpace(url), in, nil
}
