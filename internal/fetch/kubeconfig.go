package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A clientConfig is what `kubectl config view --minify --flatten --raw -o json` prints of the context in use
// (k8s.io/client-go, tools/clientcmd/api/v1, Config): what files hold that the kubeconfig names is in it, but for a
// token's.
type clientConfig struct {
	Clusters []struct {
		Cluster struct {
			CA            []byte `json:"certificate-authority-data"`
			Insecure      bool   `json:"insecure-skip-tls-verify"`
			TLSServerName string `json:"tls-server-name"`
			ProxyURL      string `json:"proxy-url"`
		} `json:"cluster"`
	} `json:"clusters"`
	Users []struct {
		User clientUser `json:"user"`
	} `json:"users"`
}

type clientUser struct {
	Cert         []byte    `json:"client-certificate-data"`
	Key          []byte    `json:"client-key-data"`
	Token        string    `json:"token"`
	TokenFile    string    `json:"tokenFile"`
	Username     string    `json:"username"`
	Password     string    `json:"password"`
	As           string    `json:"as"`
	Exec         *struct{} `json:"exec"`
	AuthProvider *struct{} `json:"auth-provider"`
}

// configTimeout bounds how long kubectl may take to read a few files.
const configTimeout = 10 * time.Second

// addKubeconfig fills in what the user's flags leave open from the context that kubectl would use: who signs the
// target's certificate, and who the user is. Programs that it names are not run.
func (a Access) addKubeconfig(k *kubectl) (Access, error) {
	ctx, cancel := context.WithTimeout(context.Background(), configTimeout)
	defer cancel()
	out, err := k.command(ctx, "config", "view", "--minify", "--flatten", "--raw", "--output=json").Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		err = &kubectlError{"config view", (&tail{exit.Stderr}).last(), err}
	}
	if err != nil {
		return a, usage("kubectl config get-contexts lists the contexts", "reading the kubeconfig: %w", err)
	}
	var c clientConfig
	if json.Unmarshal(out, &c) != nil { // its error may quote a secret
		return a, usage("", "the output of kubectl config view is not a kubeconfig")
	}
	if len(c.Clusters) > 0 {
		cluster := c.Clusters[0].Cluster
		if a.CACert == "" && !a.InsecureSkipVerify {
			a.caPEM = cluster.CA
			a.InsecureSkipVerify = cluster.Insecure && len(a.caPEM) == 0
		}
		if a.ServerName == "" {
			a.ServerName = cluster.TLSServerName
		}
		if cluster.ProxyURL != "" && a.Proxy == nil {
			if a.Proxy, err = ParseProxy(cluster.ProxyURL); err != nil {
				return a, err
			}
		}
	}
	given := a.BearerToken != "" || a.User != "" || a.Cert != "" || a.Headers.Get("Authorization") != ""
	if given || len(c.Users) == 0 {
		return a, nil
	}
	err = a.addUser(c.Users[0].User)
	return a, err
}

func (a *Access) addUser(u clientUser) error {
	const instead = "kubectl create token SERVICEACCOUNT > FILE, and --bearer-token-file FILE"
	switch {
	case u.Exec != nil:
		return usage(instead, "the kubeconfig's user gets credentials from a program (exec), which is not run")
	case u.AuthProvider != nil:
		return usage(instead, "the kubeconfig's user gets credentials from an auth-provider, which is not run")
	case u.As != "":
		return usage(instead, "the kubeconfig's user acts as another one (as), which only API servers support")
	case (len(u.Cert) == 0) != (len(u.Key) == 0):
		return usage("", "the kubeconfig's user has a client certificate or a key, and not both")
	case u.TokenFile != "": // client-go takes it before the token
		token, err := os.ReadFile(u.TokenFile)
		if err != nil {
			return usage("", "reading the token that the kubeconfig names: %w", err)
		}
		u.Token = strings.TrimSpace(string(token))
	}
	a.certPEM, a.keyPEM, a.BearerToken = u.Cert, u.Key, u.Token
	if u.Token == "" && u.Username != "" {
		a.User, a.Password = u.Username, u.Password
	}
	return nil
}
