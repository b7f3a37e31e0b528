package fetch

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
)

// kubeconfigJSON is what is read of a kubeconfig (k8s.io/client-go, tools/clientcmd/api/v1, Config).
type kubeconfigJSON struct {
	CurrentContext string `yaml:"current-context"`
	Contexts       []struct {
		Name    string `yaml:"name"`
		Context struct {
			Cluster string `yaml:"cluster"`
			User    string `yaml:"user"`
		} `yaml:"context"`
	} `yaml:"contexts"`
	Clusters []struct {
		Name    string      `yaml:"name"`
		Cluster clusterJSON `yaml:"cluster"`
	} `yaml:"clusters"`
	Users []struct {
		Name string   `yaml:"name"`
		User userJSON `yaml:"user"`
	} `yaml:"users"`
}

type clusterJSON struct {
	CA            string `yaml:"certificate-authority"`
	CAData        string `yaml:"certificate-authority-data"`
	Insecure      bool   `yaml:"insecure-skip-tls-verify"`
	TLSServerName string `yaml:"tls-server-name"`
	ProxyURL      string `yaml:"proxy-url"`
}

type userJSON struct {
	Cert         string         `yaml:"client-certificate"`
	CertData     string         `yaml:"client-certificate-data"`
	Key          string         `yaml:"client-key"`
	KeyData      string         `yaml:"client-key-data"`
	Token        string         `yaml:"token"`
	TokenFile    string         `yaml:"tokenFile"`
	Username     string         `yaml:"username"`
	Password     string         `yaml:"password"`
	As           string         `yaml:"as"`
	Exec         map[string]any `yaml:"exec"`
	AuthProvider map[string]any `yaml:"auth-provider"`
}

// maxKubeconfig bounds a kubeconfig and the files that it names: one of 100 clusters has some 500 KiB.
const maxKubeconfig = 4 << 20

// addKubeconfig fills in what the user's flags leave open from the context of a kubeconfig: who signs the target's
// certificate, and who the user is. Files that it names are below its own folder, as for kubectl. Programs that it
// names are not run.
func (a Access) addKubeconfig(file, context string) (Access, error) {
	data, err := readBounded(file)
	if err != nil {
		return a, usage("", "reading --kubeconfig: %w", err)
	}
	var k kubeconfigJSON
	if err := yaml.Unmarshal(data, &k); err != nil {
		// The error of the library quotes the text, which holds secrets.
		return a, usage("kubectl --kubeconfig FILE config view shows what kubectl makes of it",
			"--kubeconfig is no kubeconfig")
	}
	cluster, user, err := k.choose(cmp.Or(context, k.CurrentContext))
	if err != nil {
		return a, err
	}
	r := kubeconfigFiles{dir: filepath.Dir(file)}
	a.addCluster(cluster, &r)
	if err := a.addUser(user, &r); err != nil {
		return a, err
	}
	if r.err != nil {
		return a, usage("", "reading what --kubeconfig names: %w", r.err)
	}
	if cluster.ProxyURL != "" && a.Proxy == nil {
		a.Proxy, err = ParseProxy(cluster.ProxyURL)
	}
	return a, err
}

// choose returns the cluster and the user of a context.
func (k *kubeconfigJSON) choose(context string) (cluster clusterJSON, user userJSON, err error) {
	if context == "" {
		return cluster, user, usage("--context NAME", "the kubeconfig has no current context")
	}
	for _, c := range k.Contexts {
		if c.Name != context {
			continue
		}
		for _, cl := range k.Clusters {
			if cl.Name == c.Context.Cluster {
				cluster = cl.Cluster
			}
		}
		for _, u := range k.Users {
			if u.Name == c.Context.User {
				user = u.User
			}
		}
		return cluster, user, nil
	}
	return cluster, user, usage("kubectl config get-contexts lists them", "the kubeconfig has no context %q", context)
}

// addCluster leaves what flags say about the target's certificate as it is.
func (a *Access) addCluster(c clusterJSON, r *kubeconfigFiles) {
	if a.CACert == "" && !a.InsecureSkipVerify {
		a.caPEM = r.content(c.CAData, c.CA)
		a.InsecureSkipVerify = c.Insecure && len(a.caPEM) == 0
	}
	a.ServerName = cmp.Or(a.ServerName, c.TLSServerName)
}

// addUser leaves the user of flags as it is.
func (a *Access) addUser(u userJSON, r *kubeconfigFiles) error {
	if a.BearerToken != "" || a.User != "" || a.Cert != "" || a.Headers.Get("Authorization") != "" {
		return nil
	}
	const instead = "kubectl create token SERVICEACCOUNT > FILE, and --bearer-token-file FILE"
	switch {
	case len(u.Exec) > 0:
		return usage(instead, "the kubeconfig's user gets credentials from a program (exec), which is not run")
	case len(u.AuthProvider) > 0:
		return usage(instead, "the kubeconfig's user gets credentials from an auth-provider, which is not run")
	case u.As != "":
		return usage(instead, "the kubeconfig's user acts as another one (as), which only API servers understand")
	}
	a.certPEM, a.keyPEM = r.content(u.CertData, u.Cert), r.content(u.KeyData, u.Key)
	switch {
	case u.TokenFile != "": // client-go takes it before the token
		a.BearerToken = strings.TrimSpace(string(r.content("", u.TokenFile)))
	case u.Token != "":
		a.BearerToken = u.Token
	case u.Username != "":
		a.User, a.Password = u.Username, u.Password
	}
	if r.err == nil && (len(a.certPEM) == 0) != (len(a.keyPEM) == 0) {
		return usage("", "the kubeconfig's user has a client certificate or a key, and not both")
	}
	return nil
}

// kubeconfigFiles reads what a kubeconfig holds or names, and remembers the first error.
type kubeconfigFiles struct {
	dir string
	err error
}

// content is the decoded data, else that of the file; nil where neither is there.
func (r *kubeconfigFiles) content(encoded, file string) []byte {
	var data []byte
	var err error
	switch {
	case encoded != "":
		if data, err = base64.StdEncoding.DecodeString(encoded); err != nil {
			err = fmt.Errorf("a value that ends in -data is no base64")
		}
	case file != "":
		if !filepath.IsAbs(file) {
			file = filepath.Join(r.dir, file)
		}
		data, err = readBounded(file)
	}
	r.err = cmp.Or(r.err, err)
	return data
}

func readBounded(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxKubeconfig+1))
	if err == nil && len(data) > maxKubeconfig {
		err = fmt.Errorf("%s is larger than %d MiB", file, maxKubeconfig>>20)
	}
	return data, err
}
