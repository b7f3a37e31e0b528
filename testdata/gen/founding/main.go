// Command harbor-controller is a Kubernetes controller like many: informers, work queues, leader election, an HTTPS
// port. It does nothing and yet has a CPU at 100 %, because of a dependency (example.com/tlslistener) that yields the
// processor while it waits for a certificate that never comes.
//
// It is built from a vendor folder inside a GOPATH, as controllers long were: function names carry the vendor path.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"

	"example.com/harbor-controller/internal/apiserver"
	"example.com/harbor-controller/internal/controller"
	"example.com/tlslistener"
)

// readyDescriptor is the pipe on which the driver waits.
const readyDescriptor = 3

func main() {
	if len(os.Args) > 1 && os.Args[1] == "apiserver" {
		serveAPI()
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	time.AfterFunc(time.Minute, func() { os.Exit(3) })
	if err := run(ctx); err != nil {
		klog.ErrorS(err, "Controller failed")
		os.Exit(1)
	}
}

// serveAPI is the fake API server: it prints its URL and serves until its standard input closes.
func serveAPI() {
	s := apiserver.Start()
	fmt.Println(s.URL)
	bufio.NewReader(os.Stdin).ReadString('\n')
}

// startAPI starts this program again as the fake API server, and returns its URL. The server ends when the pipe that
// is returned too is closed, by the end of this process at the latest.
func startAPI() (string, io.Closer, error) {
	cmd := exec.Command(os.Args[0], "apiserver")
	in, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, fmt.Errorf("starting the API server: %w", err)
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	return strings.TrimSpace(url), in, err
}

func run(ctx context.Context) error {
	url, api, err := startAPI()
	if err != nil {
		return err
	}
	defer api.Close()
	config := &rest.Config{Host: url, TLSClientConfig: rest.TLSClientConfig{Insecure: true}, QPS: 1000, Burst: 1000, UserAgent: "harbor-controller/v1.4.2"}
	klog.InfoS("Starting harbor-controller", "version", "v1.4.2", "namespace", "harbor-system")
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := serveMetrics(ctx); err != nil {
		return err
	}
	events := record.NewBroadcaster(record.WithContext(ctx))
	events.StartStructuredLogging(0)
	defer events.Shutdown()
	elected := make(chan bool)
	go leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
		Name: "harbor-controller", Lock: &lease{identity: "harbor-controller-5c9d8f7b6-x2x7k"},
		LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { close(elected) },
			OnStoppedLeading: func() { klog.InfoS("Lease lost") },
		},
	})
	<-elected
	factory := dynamicinformer.NewDynamicSharedInformerFactory(client, 10*time.Minute)
	for _, resource := range resources() {
		generic := factory.ForResource(resource)
		c, err := controller.New(resource, generic.Informer(), generic.Lister())
		if err != nil {
			return err
		}
		go c.Run(ctx, 2)
	}
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	klog.InfoS("Caches are synced", "resources", len(resources()))
	time.Sleep(1500 * time.Millisecond)
	klog.InfoS("All controllers are running")
	tellReady()
	<-ctx.Done()
	return nil
}

func tellReady() {
	pipe := os.NewFile(readyDescriptor, "ready")
	pipe.WriteString("ready\n")
	pipe.Close()
}

// resources are what the controller watches.
func resources() []schema.GroupVersionResource {
	names := strings.Fields(`anchors arrivals barges berths bollards bridges buoys cargoes carriers channels charters containers
		crates crews cranes customs decks departures docks dredgers ferries fleets forklifts freights gangways gates
		hawsers holds inspections invoices jetties keels lanes ledgers lighthouses liners locks manifests masts moorings
		pallets parcels piers pilots quays ramps routes schedules terminals tugs warehouses`)
	list := make([]schema.GroupVersionResource, 0, len(names)+1)
	for _, name := range append(names, apiserver.Busy) {
		list = append(list, schema.GroupVersionResource{Group: "harbor.example.com", Version: "v1", Resource: name})
	}
	return list
}

// noCertificates is a source that is never asked: the listener waits for the first certificate before it asks.
type noCertificates struct{}

func (noCertificates) Certificate(context.Context) (*tls.Certificate, error) {
	return nil, fmt.Errorf("no certificate")
}

func serveMetrics(ctx context.Context) error {
	l, err := tlslistener.New(ctx, "127.0.0.1:0", noCertificates{})
	if err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return err
	}
	klog.InfoS("Serving metrics", "port", port)
	go http.Serve(l, http.NotFoundHandler())
	return nil
}
