package plane

import (
	"context"
	"fmt"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// UserGroup is the group of users who may do everything.
const UserGroup = "lab:users"

// rights lets service accounts, users and nodes do everything.
func (p *Plane) rights(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(p.Admins[0])
	if err != nil {
		return err
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "everyone"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: everyoneMay},
	}
	for _, group := range []string{serviceAccounts, UserGroup, "system:nodes"} {
		binding.Subjects = append(binding.Subjects, rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: "Group", Name: group})
	}
	_, err = client.RbacV1().ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{})
	return err
}

// Config is the configuration of a user with a certificate at an API server.
func (p *Plane) Config(server int, user string, groups ...string) (*rest.Config, error) {
	pair, err := p.authority.Client(user, groups...)
	if err != nil {
		return nil, err
	}
	return &rest.Config{
		Host: "https://" + p.Server(server), QPS: 200, Burst: 400, UserAgent: "kubectl/v1.34.4 (linux/amd64) kubernetes/2a2e1c3",
		TLSClientConfig: rest.TLSClientConfig{CAData: p.authority.PEM, CertData: pair.Cert, KeyData: pair.Key},
	}, nil
}

// Kubeconfig is that of a user with a certificate.
func (p *Plane) Kubeconfig(server int, user string, groups ...string) ([]byte, error) {
	pair, err := p.authority.Client(user, groups...)
	if err != nil {
		return nil, err
	}
	return p.kubeconfig(server, &api.AuthInfo{ClientCertificateData: pair.Cert, ClientKeyData: pair.Key})
}

// TokenKubeconfig is that of a service account whose token is in a file.
func (p *Plane) TokenKubeconfig(server int, file string) ([]byte, error) {
	return p.kubeconfig(server, &api.AuthInfo{TokenFile: file})
}

func (p *Plane) kubeconfig(server int, auth *api.AuthInfo) ([]byte, error) {
	if server < 0 || server >= Servers {
		return nil, fmt.Errorf("no API server %d", server)
	}
	config := api.NewConfig()
	config.Clusters["lab"] = &api.Cluster{Server: "https://" + p.Server(server), CertificateAuthorityData: p.authority.PEM}
	config.AuthInfos["lab"] = auth
	config.Contexts["lab"] = &api.Context{Cluster: "lab", AuthInfo: "lab"}
	config.CurrentContext = "lab"
	return clientcmd.Write(*config)
}
