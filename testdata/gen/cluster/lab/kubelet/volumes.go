package kubelet

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	authentication "k8s.io/api/authentication/v1"
	"k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"
)

// tokenFolder is where containers find their service account.
const tokenFolder = "var/run/secrets/kubernetes.io/serviceaccount"

// root is the folder that a pod's processes take for /.
func (w *worker) root() string { return filepath.Join(w.node.fleet.options.Dir, string(w.pod.UID)) }

// mount makes the pod's volumes. It returns false if the pod is to end first.
func (w *worker) mount() bool {
	for delay := time.Second; ; delay = min(2*delay, longestDelay) {
		volume, err := w.mountAll()
		if err == nil {
			return w.stop.Err() == nil
		}
		if w.stop.Err() != nil {
			return false
		}
		w.warn("FailedMount", fmt.Sprintf("MountVolume.SetUp failed for volume %q : %v", volume, err))
		if !sleep(w.stop, delay) {
			return false
		}
	}
}

// mountAll makes all volumes, or says which one it could not make.
func (w *worker) mountAll() (volume string, err error) {
	if err := os.MkdirAll(w.root(), 0o755); err != nil {
		return "root", err
	}
	for _, v := range w.pod.Spec.Volumes {
		if v.PersistentVolumeClaim != nil {
			if err := w.mountClaim(v); err != nil {
				return v.Name, err
			}
			continue
		}
		files, err := w.files(v)
		if err != nil {
			return v.Name, err
		}
		for _, path := range w.paths(v.Name) {
			if err := os.MkdirAll(path, 0o755); err != nil {
				return v.Name, err
			}
			for name, data := range files {
				if err := os.WriteFile(filepath.Join(path, filepath.Base(name)), data, 0o600); err != nil {
					return v.Name, err
				}
			}
		}
	}
	return "", nil
}

// mountClaim links the folder that all pods with a claim share.
func (w *worker) mountClaim(v v1.Volume) error {
	shared := ClaimFolder(w.node.fleet.options.Shared, w.pod.Namespace, v.PersistentVolumeClaim.ClaimName)
	if err := os.MkdirAll(shared, 0o755); err != nil {
		return err
	}
	for _, path := range w.paths(v.Name) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.Symlink(shared, path); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// ClaimFolder is the folder below Options.Shared that plays the volume of a claim.
func ClaimFolder(shared, namespace, claim string) string {
	return filepath.Join(shared, "claims", namespace, claim)
}

// paths are the folders at which a volume is mounted.
func (w *worker) paths(volume string) []string {
	var paths []string
	for _, c := range append(w.inits[:len(w.inits):len(w.inits)], w.containers...) {
		for _, mount := range c.spec.VolumeMounts {
			if mount.Name == volume {
				paths = append(paths, filepath.Join(w.root(), filepath.Clean("/"+mount.MountPath)))
			}
		}
	}
	return paths
}

// files are the files of a volume.
func (w *worker) files(v v1.Volume) (map[string][]byte, error) {
	switch {
	case v.ConfigMap != nil:
		return w.configMap(v.ConfigMap.Name, ptr.Deref(v.ConfigMap.Optional, false))
	case v.Secret != nil:
		return w.secret(v.Secret.SecretName, ptr.Deref(v.Secret.Optional, false))
	case v.Projected != nil && strings.HasPrefix(v.Name, "kube-api-access-") && w.real():
		return w.token()
	}
	return nil, nil
}

// real reports whether a container of the pod is a program of the lab.
func (w *worker) real() bool {
	for _, c := range w.containers {
		if programImage.MatchString(c.spec.Image) {
			return true
		}
	}
	return false
}

// token asks for a token of the pod's service account that ends with the pod.
func (w *worker) token() (map[string][]byte, error) {
	request := &authentication.TokenRequest{Spec: authentication.TokenRequestSpec{
		ExpirationSeconds: ptr.To[int64](3607),
		BoundObjectRef:    &authentication.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: w.pod.Name, UID: w.pod.UID},
	}}
	accounts := w.node.client.CoreV1().ServiceAccounts(w.pod.Namespace)
	answer, err := accounts.CreateToken(w.away, w.pod.Spec.ServiceAccountName, request, metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("failed to fetch token: %w", err)
	}
	return map[string][]byte{"token": []byte(answer.Status.Token), "namespace": []byte(w.pod.Namespace)}, nil
}

func (w *worker) configMap(name string, optional bool) (map[string][]byte, error) {
	m, err := w.node.client.CoreV1().ConfigMaps(w.pod.Namespace).Get(w.away, name, metav1.GetOptions{})
	if err != nil {
		if optional {
			return nil, nil
		}
		return nil, missing("configmap", name, err)
	}
	files := m.BinaryData
	if files == nil {
		files = map[string][]byte{}
	}
	for key, value := range m.Data {
		files[key] = []byte(value)
	}
	return files, nil
}

func (w *worker) secret(name string, optional bool) (map[string][]byte, error) {
	s, err := w.node.client.CoreV1().Secrets(w.pod.Namespace).Get(w.away, name, metav1.GetOptions{})
	if err != nil {
		if optional {
			return nil, nil
		}
		return nil, missing("secret", name, err)
	}
	return s.Data, nil
}

// missing is how a kubelet names what it does not find.
func missing(kind, name string, err error) error {
	if strings.Contains(err.Error(), "not found") {
		return fmt.Errorf("%s %q not found", kind, name)
	}
	return err
}

// environment resolves a container's variables.
func (w *worker) environment(spec v1.Container) (map[string]string, error) {
	env := map[string]string{}
	for _, from := range spec.EnvFrom {
		var files map[string][]byte
		var err error
		switch {
		case from.ConfigMapRef != nil:
			files, err = w.configMap(from.ConfigMapRef.Name, ptr.Deref(from.ConfigMapRef.Optional, false))
		case from.SecretRef != nil:
			files, err = w.secret(from.SecretRef.Name, ptr.Deref(from.SecretRef.Optional, false))
		}
		if err != nil {
			return nil, err
		}
		for key, value := range files {
			env[from.Prefix+key] = string(value)
		}
	}
	for _, v := range spec.Env {
		value, err := w.value(v)
		if err != nil {
			return nil, err
		}
		env[v.Name] = value
	}
	return env, nil
}

// value resolves one variable.
func (w *worker) value(v v1.EnvVar) (string, error) {
	from := v.ValueFrom
	switch {
	case from == nil:
		return v.Value, nil
	case from.ConfigMapKeyRef != nil:
		ref := from.ConfigMapKeyRef
		files, err := w.configMap(ref.Name, ptr.Deref(ref.Optional, false))
		return pick(files, err, ref.Key, "ConfigMap "+w.pod.Namespace+"/"+ref.Name, ptr.Deref(ref.Optional, false))
	case from.SecretKeyRef != nil:
		ref := from.SecretKeyRef
		files, err := w.secret(ref.Name, ptr.Deref(ref.Optional, false))
		return pick(files, err, ref.Key, "Secret "+w.pod.Namespace+"/"+ref.Name, ptr.Deref(ref.Optional, false))
	case from.FieldRef != nil:
		fields := map[string]string{"metadata.name": w.pod.Name, "metadata.namespace": w.pod.Namespace,
			"metadata.uid": string(w.pod.UID), "spec.nodeName": w.node.name, "status.hostIP": "127.0.0.1",
			"status.podIP": w.address(), "spec.serviceAccountName": w.pod.Spec.ServiceAccountName}
		if key, ok := strings.CutPrefix(from.FieldRef.FieldPath, "metadata.annotations['"); ok {
			return w.pod.Annotations[strings.TrimSuffix(key, "']")], nil
		}
		return fields[from.FieldRef.FieldPath], nil
	}
	return "", nil
}

func pick(files map[string][]byte, err error, key, of string, optional bool) (string, error) {
	if err != nil {
		return "", err
	}
	value, ok := files[key]
	if !ok && !optional {
		return "", fmt.Errorf("couldn't find key %s in %s", key, of)
	}
	return string(value), nil
}
