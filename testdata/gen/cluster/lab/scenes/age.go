package scenes

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// etcdPort is where the lab's etcd is, seen from the first API server's port (package plane).
const etcdPort = 379 - 443

// age moves every time in the objects of the scene's namespaces back, where they are stored: a fault that counts only
// after a quarter of an hour need not be waited for. Controllers see the objects change and act on their new age.
func (d day) age(by time.Duration, namespaces ...string) {
	if d.over() {
		return
	}
	store, err := etcdOf(d.c.Config.Host)
	d.fail(err)
	if err != nil {
		return
	}
	found, err := store.all("/registry/")
	d.fail(err)
	for _, o := range found {
		for _, name := range namespaces {
			key := string(o.Key)
			if !strings.Contains(key, "/"+name+"/") && key != "/registry/namespaces/"+name ||
				strings.HasPrefix(key, "/registry/masterleases/") {
				continue
			}
			value, err := moved(o.Value, by)
			if err == nil {
				err = store.replace(o, value)
			}
			if err != nil {
				d.c.Log("age %s: %v", key, err)
			}
		}
	}
}

// moved is a stored object with all its times moved back.
func moved(value []byte, by time.Duration) ([]byte, error) {
	if bytes.HasPrefix(value, []byte("{")) { // a custom resource
		o := map[string]any{}
		if err := json.Unmarshal(value, &o); err != nil {
			return nil, err
		}
		return json.Marshal(movedBack(o, by))
	}
	stored := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	o, kind, err := stored.Decode(value, nil, nil)
	if err != nil {
		return nil, err
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, err
	}
	fresh, err := scheme.Scheme.New(*kind)
	if err != nil {
		return nil, err
	}
	fields = movedBack(fields, by).(map[string]any)
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(fields, fresh); err != nil {
		return nil, err
	}
	fresh.GetObjectKind().SetGroupVersionKind(*kind)
	var out bytes.Buffer
	err = stored.Encode(fresh, &out)
	return out.Bytes(), err
}

// movedBack moves what reads as a time.
func movedBack(v any, by time.Duration) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = movedBack(v[key], by)
		}
	case []any:
		for i := range v {
			v[i] = movedBack(v[i], by)
		}
	case string:
		for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05.000000Z07:00"} {
			if t, err := time.Parse(layout, v); err == nil && len(v) == len(t.Format(layout)) {
				return t.Add(-by).Format(layout)
			}
		}
	}
	return v
}

// etcd is a store, asked by its gateway for JSON.
type etcd struct{ url string }

// etcdOf is the store behind an API server's URL.
func etcdOf(server string) (etcd, error) {
	address, err := beside(server, etcdPort)
	return etcd{"http://" + address}, err
}

// beside is the address of a part of the control plane whose port is so far from that of an API server.
func beside(server string, offset int) (string, error) {
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	port, err := strconv.Atoi(u.Port())
	if err != nil {
		return "", fmt.Errorf("port of %s: %w", server, err)
	}
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(port+offset)), nil
}

// A pair is a key with its value and the revision in which it was written.
type pair struct {
	Key, Value  []byte
	ModRevision string `json:"mod_revision"`
}

// all are the pairs below a prefix.
func (e etcd) all(prefix string) ([]pair, error) {
	end := []byte(prefix)
	end[len(end)-1]++
	var answer struct{ Kvs []pair }
	err := e.ask("/v3/kv/range", map[string]any{"key": []byte(prefix), "range_end": end}, &answer)
	return answer.Kvs, err
}

// replace writes a value unless somebody else has meanwhile.
func (e etcd) replace(p pair, value []byte) error {
	var answer struct{ Succeeded bool }
	err := e.ask("/v3/kv/txn", map[string]any{
		"compare": []any{map[string]any{"key": p.Key, "target": "MOD", "result": "EQUAL", "mod_revision": p.ModRevision}},
		"success": []any{map[string]any{"request_put": map[string]any{"key": p.Key, "value": value}}},
	}, &answer)
	if err == nil && !answer.Succeeded {
		err = errors.New("it was written meanwhile")
	}
	return err
}

func (e etcd) ask(path string, question, answer any) error {
	body, err := json.Marshal(question)
	if err != nil {
		return err
	}
	res, err := http.Post(e.url+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s%s answers %s", e.url, path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(answer)
}
