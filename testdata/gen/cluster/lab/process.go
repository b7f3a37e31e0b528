package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	authentication "k8s.io/api/authentication/v1"
	"k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	"k8s.io/utils/ptr"

	"cluster/lab/scenes"
)

const account = "system:serviceaccount:"

// as returns the configurations of users and service accounts.
func (l *lab) as(ctx context.Context) func(user string, server int) (*rest.Config, error) {
	return func(user string, server int) (*rest.Config, error) {
		if server < 0 || server >= len(l.plane.Admins) {
			return nil, fmt.Errorf("no API server %d", server)
		}
		if !strings.HasPrefix(user, account) {
			return l.plane.Config(server, user, groups(user)...)
		}
		token, err := l.token(ctx, user)
		if err != nil {
			return nil, err
		}
		config := rest.AnonymousClientConfig(l.plane.Admins[server])
		config.BearerToken = token
		return config, nil
	}
}

// token is one of a service account.
func (l *lab) token(ctx context.Context, user string) (string, error) {
	namespace, name, _ := strings.Cut(strings.TrimPrefix(user, account), ":")
	answer, err := l.client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, name,
		&authentication.TokenRequest{Spec: authentication.TokenRequestSpec{ExpirationSeconds: ptr.To[int64](3600)}}, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("a token of %s: %w", user, err)
	}
	return answer.Status.Token, nil
}

// start starts a program in a pod, or without one.
func (l *lab) start(ctx context.Context, name string, args []string, o scenes.ProcessOptions) (func(), error) {
	if o.User == "" {
		o.User = account + o.Namespace + ":" + name
	}
	if owner, ok := strings.CutPrefix(o.User, account); ok {
		namespace, name, _ := strings.Cut(owner, ":")
		_, err := l.client.CoreV1().ServiceAccounts(namespace).Create(ctx,
			&v1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}, metav1.CreateOptions{})
		if err != nil && !errors.IsAlreadyExists(err) {
			return nil, err
		}
	}
	if o.Pod == "" {
		return l.startOutside(ctx, name, args, o)
	}
	return l.startPod(ctx, name, args, o)
}

// startPod runs a program as a pod.
func (l *lab) startPod(ctx context.Context, name string, args []string, o scenes.ProcessOptions) (func(), error) {
	pod := &v1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: o.Pod, Labels: map[string]string{"app": name}},
		Spec: v1.PodSpec{
			Containers:                    []v1.Container{{Name: name, Image: "registry.example.com/lab/" + name + ":v1.0.0", Args: args}},
			TerminationGracePeriodSeconds: ptr.To[int64](5),
		},
	}
	env := o.Env
	if o.Server != 0 {
		env = append(env[:len(env):len(env)], "LAB_SERVER="+strconv.Itoa(o.Server))
	}
	if owner, ok := strings.CutPrefix(o.User, account); ok {
		_, pod.Spec.ServiceAccountName, _ = strings.Cut(owner, ":")
	} else {
		env = append(env[:len(env):len(env)], "LAB_USER="+o.User)
	}
	for _, variable := range env {
		key, value, _ := strings.Cut(variable, "=")
		pod.Spec.Containers[0].Env = append(pod.Spec.Containers[0].Env, v1.EnvVar{Name: key, Value: value})
	}
	pods := l.client.CoreV1().Pods(o.Namespace)
	if _, err := pods.Create(ctx, pod, metav1.CreateOptions{}); err != nil {
		return nil, err
	}
	return func() { pods.Delete(ctx, o.Pod, metav1.DeleteOptions{}) }, nil
}

// startOutside runs a program on no node, as an operator at a desk or a controller of another cluster does.
func (l *lab) startOutside(ctx context.Context, name string, args []string, o scenes.ProcessOptions) (func(), error) {
	path, err := l.program(ctx, name)
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp(l.dir, "outside-")
	if err != nil {
		return nil, err
	}
	config, err := l.outsideConfig(ctx, folder, o)
	if err != nil {
		return nil, err
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	if err := os.WriteFile(kubeconfig, config, 0o600); err != nil {
		return nil, err
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = folder
	cmd.Env = append([]string{"PATH=/usr/bin:/bin", "TZ=UTC", "GOTRACEBACK=all", "KUBECONFIG=" + kubeconfig,
		"POD_NAMESPACE=" + o.Namespace, "POD_NAME=" + name, "LAB_ROOT=" + folder}, o.Env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if cmd.Stderr, err = os.Create(filepath.Join(folder, "log")); err != nil {
		return nil, err
	}
	cmd.Stdout = cmd.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	ended := make(chan struct{})
	go func() {
		cmd.Wait()
		close(ended)
	}()
	stop := sync.OnceFunc(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(5 * time.Second):
			cmd.Process.Kill()
			<-ended
		}
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.outside = append(l.outside, stop)
	return stop, nil
}

func (l *lab) outsideConfig(ctx context.Context, folder string, o scenes.ProcessOptions) ([]byte, error) {
	if !strings.HasPrefix(o.User, account) {
		return l.plane.Kubeconfig(o.Server, o.User, groups(o.User)...)
	}
	token, err := l.token(ctx, o.User)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(folder, "token")
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		return nil, err
	}
	return l.plane.TokenKubeconfig(o.Server, file)
}
