package main

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"syscall"
	"time"
)

func dial(addr string, err error) error {
	a, _ := net.ResolveTCPAddr("tcp", addr)
	return &net.OpError{Op: "dial", Net: "tcp", Addr: a, Err: err}
}

func refused(addr string) error {
	return dial(addr, os.NewSyscallError("connect", syscall.ECONNREFUSED))
}

func noHost(name, port string) error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{
		Err: "no such host", Name: name, Server: "10.96.0.10:53", IsNotFound: true}}
}

func listen(addr string, errno syscall.Errno) error {
	a, _ := net.ResolveTCPAddr("tcp", addr)
	return &net.OpError{Op: "listen", Net: "tcp", Addr: a, Err: os.NewSyscallError("bind", errno)}
}

func ioTimeout(addr string) error { return dial(addr, os.ErrDeadlineExceeded) }

func at(op, path string, errno syscall.Errno) error {
	return &fs.PathError{Op: op, Path: path, Err: errno}
}

func get(url_ string, err error) error { return &url.Error{Op: "Get", URL: url_, Err: err} }

func expired(url_ string) error {
	return get(url_, fmt.Errorf("tls: failed to verify certificate: %w", x509.CertificateInvalidError{
		Cert: &x509.Certificate{NotAfter: time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)}, Reason: x509.Expired,
		Detail: "current time 2026-11-20T03:00:00Z is after 2026-11-01T00:00:00Z"}))
}

func wrongName(url_, host string, names ...string) error {
	return get(url_, fmt.Errorf("tls: failed to verify certificate: %w",
		x509.HostnameError{Certificate: &x509.Certificate{DNSNames: names}, Host: host}))
}

func unknownCA(url_ string) error {
	return get(url_, fmt.Errorf("tls: failed to verify certificate: %w", x509.UnknownAuthorityError{}))
}

func deadline(what string) error { return fmt.Errorf("%s: %w", what, context.DeadlineExceeded) }

func said(text string) error { return errors.New(text) }

func wrap(text string, err error) error { return fmt.Errorf("%s: %w", text, err) }
