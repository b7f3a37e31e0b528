package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gotriage/triage/internal/fetch"
)

// Where secrets are read from, besides files: what is on a command line can be read by every process of the machine.
const (
	envToken    = "TRIAGE_BEARER_TOKEN"
	envPassword = "TRIAGE_PASSWORD"
)

// maxSecret bounds a file of secrets: tokens have some KiB.
const maxSecret = 1 << 20

// accessFlags are the flags that choose how the target may be reached.
type accessFlags struct {
	access       fetch.Access
	tokenFile    string
	passwordFile string
	headers      []string
	proxy        string
}

func (a *accessFlags) flags(cmd *cobra.Command) {
	fl := cmd.Flags()
	fl.StringVar(&a.access.CACert, "cacert", "", "trust the authorities in this PEM `FILE`")
	fl.StringVar(&a.access.Cert, "cert", "", "show this client certificate, a PEM `FILE`")
	fl.StringVar(&a.access.Key, "key", "", "the client certificate's key, a PEM `FILE`")
	fl.StringVar(&a.access.ServerName, "tls-server-name", "", "the `NAME` in the target's certificate, where it is "+
		"not the host's")
	fl.BoolVar(&a.access.InsecureSkipVerify, "insecure-skip-verify", false, "trust any certificate")
	fl.StringVar(&a.tokenFile, "bearer-token-file", "", "send the token in this `FILE` (default "+envToken+" of the "+
		"environment)")
	fl.StringVar(&a.access.User, "user", "", "basic auth as `NAME`, with "+envPassword+" of the environment or "+
		"--password-file")
	fl.StringVar(&a.passwordFile, "password-file", "", "the password for --user, in a `FILE`")
	fl.StringArrayVarP(&a.headers, "header", "H", nil, "send a header, `'Name: value'`, or @FILE with one a line; "+
		"repeatable")
	fl.StringVar(&a.proxy, "proxy", "", "go through the proxy at this `URL` (default HTTP_PROXY, HTTPS_PROXY and "+
		"NO_PROXY of the environment)")
}

// read collects the secrets.
func (a *accessFlags) read(getenv func(string) string) (fetch.Access, error) {
	out := a.access
	var err error
	switch {
	case a.tokenFile != "":
		out.BearerToken, err = secretFile("--bearer-token-file", a.tokenFile)
	case out.User == "": // a token for other targets may be in the environment
		out.BearerToken = getenv(envToken)
	}
	if err != nil {
		return out, err
	}
	switch {
	case a.passwordFile != "":
		out.Password, err = secretFile("--password-file", a.passwordFile)
	case out.User != "":
		out.Password = getenv(envPassword)
	}
	if err != nil {
		return out, err
	}
	if a.passwordFile != "" && out.User == "" {
		return out, usage("--user NAME", "--password-file without a user")
	}
	if out.Headers, err = readHeaders(a.headers); err != nil {
		return out, err
	}
	if a.proxy != "" {
		out.Proxy, err = fetch.ParseProxy(a.proxy)
	}
	return out, err
}

// secretFile reads a file without the line break at its end.
func secretFile(flag, name string) (string, error) {
	data, err := readSmall(name)
	if err != nil {
		return "", usage("", "reading %s: %w", flag, err)
	}
	secret := strings.TrimRight(string(data), "\r\n")
	if secret == "" {
		return "", usage("", "%s %s is empty", flag, name)
	}
	return secret, nil
}

func readSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err == nil && len(data) > maxSecret {
		err = fmt.Errorf("%s is larger than %d MiB", name, maxSecret>>20)
	}
	return data, err
}

func readHeaders(specs []string) (http.Header, error) {
	all := http.Header{}
	for _, spec := range specs {
		lines := []string{spec}
		if name, ok := strings.CutPrefix(spec, "@"); ok {
			data, err := readSmall(name)
			if err != nil {
				return nil, usage("", "reading -H: %w", err)
			}
			lines = nil
			for sc := bufio.NewScanner(strings.NewReader(string(data))); sc.Scan(); {
				if line := strings.TrimSpace(sc.Text()); line != "" {
					lines = append(lines, line)
				}
			}
		}
		for _, line := range lines {
			name, value, err := fetch.ParseHeader(line)
			if err != nil {
				return nil, err
			}
			all.Add(name, value)
		}
	}
	return all, nil
}

// A sizeFlag is a number of bytes: 1000, 64KiB, 256MiB, 1GiB.
type sizeFlag int64

func (s *sizeFlag) String() string {
	if *s == 0 {
		return ""
	}
	return strconv.FormatInt(int64(*s), 10)
}

func (s *sizeFlag) Type() string { return "size" }

func (s *sizeFlag) Set(text string) error {
	digits := strings.TrimRight(text, "KMGTiBkb")
	units := map[string]int64{"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "kB": 1e3, "MB": 1e6,
		"GB": 1e9, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
	unit, known := units[text[len(digits):]]
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || !known || n < 1 || n > (1<<62)/unit {
		return fmt.Errorf("it is a number of bytes like 64KiB, 256MiB or 1GiB")
	}
	*s = sizeFlag(n * unit)
	return nil
}
