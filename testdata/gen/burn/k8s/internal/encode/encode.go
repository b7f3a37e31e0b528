// Package encode encodes, compresses and hashes with libraries of others.
package encode

import (
	"context"
	"fmt"
	"net/http"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/crypto/bcrypt"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"gopkg.in/yaml.v3"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	sigsyaml "sigs.k8s.io/yaml"

	"example.com/fixtures/burn/k8s/internal/objects"
	"example.com/fixtures/burn/k8s/internal/ops"
	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		ops.Kind("bcrypt", "password hashed on every request", `^golang\.org/x/crypto/bcrypt\.`, "encode.(*Login).verify", startLogin),
		ops.Kind("zstd-writer", "zstd encoder made on every call", `^github\.com/klauspost/compress/zstd\.`, "encode.(*Snapshot).pack", startSnapshot),
		ops.Kind("yaml-decode", "YAML decoded on every reconcile", `^gopkg\.in/yaml(%2e|\.)v3\.`, "encode.(*Values).parse", startValues),
		ops.Kind("yaml-encode", "objects rendered as YAML on every reconcile", `^sigs\.k8s\.io/yaml\.Marshal$`, "encode.(*Render).manifest", startRender),
		ops.Kind("protobuf", "protobuf messages encoded and decoded", `^google\.golang\.org/protobuf/proto\.(Marshal|Unmarshal)$`, "encode.(*Mirror).roundTrip", startMirror),
	}
}

// A Login verifies the password of every request: it keeps no session.
type Login struct{ hash []byte }

func startLogin(s *run.Service) error {
	hash, err := bcrypt.GenerateFromPassword([]byte("secret"), 8)
	if err != nil {
		return err
	}
	l := &Login{hash: hash}
	mux := http.NewServeMux()
	mux.HandleFunc("/private", l.handle)
	return s.Serve(mux, 2, "/private")
}

func (l *Login) handle(w http.ResponseWriter, r *http.Request) {
	if !l.verify("secret") {
		http.Error(w, "no", http.StatusUnauthorized)
		return
	}
	fmt.Fprintln(w, "welcome")
}

func (l *Login) verify(password string) bool {
	return bcrypt.CompareHashAndPassword(l.hash, []byte(password)) == nil
}

// A Snapshot packs the state of each object.
type Snapshot struct {
	state []byte
	size  int
}

func startSnapshot(s *run.Service) error {
	return ops.Run(s, "snapshot", &Snapshot{state: []byte(fmt.Sprint(objects.New("web")))})
}

// Reconcile is called for each object.
func (n *Snapshot) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	packed, err := n.pack()
	n.size = len(packed)
	return reconcile.Result{}, err
}

func (n *Snapshot) pack() ([]byte, error) {
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer w.Close()
	return w.EncodeAll(n.state, nil), nil
}

// Values are read for each release.
type Values struct {
	text []byte
	last map[string]any
}

func startValues(s *run.Service) error {
	text, err := sigsyaml.Marshal(objects.New("web"))
	if err != nil {
		return err
	}
	return ops.Run(s, "values", &Values{text: text})
}

// Reconcile is called for each release.
func (v *Values) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var err error
	v.last, err = v.parse()
	return reconcile.Result{}, err
}

func (v *Values) parse() (map[string]any, error) {
	var out map[string]any
	return out, yaml.Unmarshal(v.text, &out)
}

// A Render writes manifests.
type Render struct{ size int }

func startRender(s *run.Service) error { return ops.Run(s, "render", &Render{}) }

// Reconcile is called for each object.
func (r *Render) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	text, err := r.manifest(req.Name)
	r.size = len(text)
	return reconcile.Result{}, err
}

func (r *Render) manifest(name string) ([]byte, error) { return sigsyaml.Marshal(objects.New(name)) }

// A Mirror passes messages on.
type Mirror struct{ message *structpb.Struct }

func startMirror(s *run.Service) error {
	fields := map[string]any{}
	for i := 0; i < 60; i++ {
		fields[fmt.Sprint("field-", i)] = []any{"text", 1.5, true, map[string]any{"inner": "value"}}
	}
	message, err := structpb.NewStruct(fields)
	if err != nil {
		return err
	}
	return ops.Run(s, "mirror", &Mirror{message: message})
}

// Reconcile is called for each message.
func (m *Mirror) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return reconcile.Result{}, m.roundTrip()
}

func (m *Mirror) roundTrip() error {
	text, err := proto.Marshal(m.message)
	if err != nil {
		return err
	}
	var back structpb.Struct
	if err := proto.Unmarshal(text, &back); err != nil {
		return err
	}
	m.message = &back
	return nil
}
