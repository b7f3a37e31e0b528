package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"sync"
	"time"

	apps "k8s.io/api/apps/v1"
	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	"example.com/capture"
)

// serverAge is how long the control plane works under load before it is captured.
const serverAge = 75 * time.Second

// serverForms are the captures that testdata/gen/wild/servers.tsv names for the control plane.
var serverForms = map[string][]string{
	"kube-apiserver":          {"debug2", "two", "debug1", "goroutine", "cpu", "heap", "mutex", "block", "fetch"},
	"kube-controller-manager": {"debug2", "two", "debug1", "goroutine", "cpu", "heap", "fetch"},
	"kube-scheduler":          {"debug2", "two", "debug1", "goroutine", "cpu", "heap", "fetch"},
}

// captureServers captures the control plane itself, as testdata/gen/wild/servers captures other servers, while two hundred
// pods come and go.
func (l *lab) captureServers(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var load sync.WaitGroup
	defer load.Wait()
	defer cancel()
	if err := l.load(ctx, &load); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(serverAge):
	}
	files := map[string][]capture.File{}
	for name, address := range l.plane.Components() {
		relay, err := l.relay(ctx, address)
		if err != nil {
			return err
		}
		taken, err := capture.Live(ctx, relay, l.triage, func(form string) bool { return contains(serverForms[name], form) })
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		files[name] = taken
	}
	var failed []error
	for name, taken := range files {
		dump, err := l.dump(name)
		if err == nil {
			taken = append(taken, capture.File{Name: "signal.txt", Data: dump})
			err = capture.Write(filepath.Join(l.servers, name), taken)
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

func contains(all []string, one string) bool {
	for _, s := range all {
		if s == one {
			return true
		}
	}
	return false
}

// relay opens a plain port in front of a component's, which wants a certificate.
func (l *lab) relay(ctx context.Context, address string) (string, error) {
	config, err := rest.TLSConfigFor(l.plane.Admins[0])
	if err != nil {
		return "", err
	}
	config.InsecureSkipVerify = true // the controller manager and the scheduler sign their own certificates
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "https", Host: address})
	proxy.Transport = &http.Transport{TLSClientConfig: config, TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{}}
	server := &http.Server{Handler: proxy}
	context.AfterFunc(ctx, func() { server.Close() })
	go server.Serve(listener)
	return listener.Addr().String(), nil
}

// load rolls Deployments out and scales them, two hundred pods in all, and lists and watches them.
func (l *lab) load(ctx context.Context, wg *sync.WaitGroup) error {
	const namespace, deployments, replicas = "load", 10, 20
	_, err := l.client.CoreV1().Namespaces().Create(ctx, &v1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	all := l.client.AppsV1().Deployments(namespace)
	for i := range deployments {
		name := fmt.Sprintf("web-%d", i)
		labels := map[string]string{"app": name}
		_, err := all.Create(ctx, &apps.Deployment{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: apps.DeploymentSpec{Replicas: ptr.To[int32](replicas), Selector: &metav1.LabelSelector{MatchLabels: labels},
				Template: v1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: v1.PodSpec{
					TerminationGracePeriodSeconds: ptr.To[int64](1),
					Containers:                    []v1.Container{{Name: "web", Image: "registry.example.com/web:1"}}}}},
		}, metav1.CreateOptions{})
		if err != nil {
			return err
		}
		wg.Go(func() { l.churn(ctx, namespace, name, i) })
	}
	for range 4 {
		wg.Go(func() {
			for ctx.Err() == nil {
				l.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{})
				time.Sleep(50 * time.Millisecond)
			}
		})
	}
	return nil
}

// churn sets a Deployment's image and its scale in turns.
func (l *lab) churn(ctx context.Context, namespace, name string, i int) {
	for round := i; ctx.Err() == nil; round++ {
		patch := fmt.Sprintf(`{"spec":{"replicas":%d}}`, 10+round%3*5)
		if round%2 == 0 {
			patch = fmt.Sprintf(`{"spec":{"template":{"spec":{"containers":[{"name":"web","image":"registry.example.com/web:%d"}]}}}}`, round)
		}
		l.client.AppsV1().Deployments(namespace).Patch(ctx, name, "application/strategic-merge-patch+json", []byte(patch), metav1.PatchOptions{})
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
		}
	}
}

// logBytes is how many bytes of a component's log stay in front of its dump.
const logBytes = 8 << 10

// dump ends a component by SIGQUIT and returns what it prints.
func (l *lab) dump(name string) ([]byte, error) {
	if name == "kube-apiserver" {
		name += "-1"
	}
	data, err := l.plane.Quit(name, capture.Patience)
	if err != nil {
		return nil, err
	}
	at := bytes.Index(data, []byte("SIGQUIT: quit"))
	if at < 0 {
		return nil, errors.New("it prints no dump")
	}
	if from := max(0, at-logBytes); from > 0 {
		data = data[from:]
		data = data[bytes.IndexByte(data, '\n')+1:]
	}
	return data, nil
}
