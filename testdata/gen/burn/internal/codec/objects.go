package codec

import (
	"bytes"
	"context"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"

	"example.com/fixtures/burn/run"
)

// A Deployment is as large as real objects are.
type Deployment struct {
	Name       string            `json:"name"`
	Labels     map[string]string `json:"labels"`
	Containers []Container       `json:"containers"`
	Status     Status            `json:"status"`
}

// A Container is a part of a Deployment.
type Container struct {
	Name  string            `json:"name"`
	Image string            `json:"image"`
	Args  []string          `json:"args"`
	Env   map[string]string `json:"env"`
	Ports []int             `json:"ports"`
}

// A Status is what was seen of a Deployment.
type Status struct {
	Ready      int      `json:"ready"`
	Conditions []string `json:"conditions"`
}

func newDeployment(name string) *Deployment {
	d := &Deployment{Name: name, Labels: map[string]string{"app": name, "tier": "backend", "team": "storage"}}
	for i := 0; i < 6; i++ {
		d.Containers = append(d.Containers, Container{
			Name: fmt.Sprint("c", i), Image: "registry.example.com/team/image:v1.2.3",
			Args: []string{"--verbose=2", "--leader-elect=true", "--bind=0.0.0.0:8080"},
			Env:  map[string]string{"HOST": "a.example.com", "MODE": "fast", "ZONE": fmt.Sprint("z", i)}, Ports: []int{80, 443, 8080},
		})
	}
	d.Status = Status{Ready: 3, Conditions: []string{"Available", "Progressing"}}
	return d
}

// Sync compares what is wanted with what is there, by their JSON.
type Sync struct {
	wanted, found *Deployment
	updates       int
}

func startSync(s *run.Service) error {
	y := &Sync{wanted: newDeployment("web"), found: newDeployment("web")}
	s.Reconcile(1, y.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (y *Sync) Reconcile(ctx context.Context, key string) error {
	for i := 0; i < 5; i++ {
		same, err := sameSpec(y.wanted, y.found)
		if err != nil {
			return err
		}
		if !same {
			y.updates++
		}
	}
	return nil
}

func sameSpec(a, b *Deployment) (bool, error) {
	x, err := json.Marshal(a)
	if err != nil {
		return false, err
	}
	y, err := json.Marshal(b)
	if err != nil {
		return false, err
	}
	return bytes.Equal(x, y), nil
}

// An Inventory reads lists that agents send.
type Inventory struct {
	list []byte
	size int
}

func startInventory(s *run.Service) error {
	v := &Inventory{}
	var list []*Deployment
	for i := 0; i < 30; i++ {
		list = append(list, newDeployment(fmt.Sprint("agent-", i)))
	}
	var err error
	if v.list, err = json.Marshal(list); err != nil {
		return err
	}
	s.Reconcile(1, v.Reconcile)
	return nil
}

// Reconcile is called for each agent.
func (v *Inventory) Reconcile(ctx context.Context, key string) error {
	list, err := v.parse(v.list)
	v.size = len(list)
	return err
}

func (v *Inventory) parse(text []byte) ([]*Deployment, error) {
	var list []*Deployment
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("list of an agent: %w", err)
	}
	return list, nil
}

// A Catalog answers with all that it has, encoded anew for each request.
type Catalog struct{ items []*Deployment }

func startCatalog(s *run.Service) error {
	c := &Catalog{}
	for i := 0; i < 40; i++ {
		c.items = append(c.items, newDeployment(fmt.Sprint("item-", i)))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/catalog", c.handle)
	return s.Serve(mux, 2, "/catalog")
}

func (c *Catalog) handle(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if err := c.render(w); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (c *Catalog) render(w http.ResponseWriter) error {
	return json.NewEncoder(w).Encode(c.items)
}

// Copies hands out copies of objects, so that nobody changes the originals.
type Copies struct {
	original *Deployment
	last     *Deployment
}

func startCopies(s *run.Service) error {
	c := &Copies{original: newDeployment("web")}
	s.Reconcile(1, c.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (c *Copies) Reconcile(ctx context.Context, key string) error {
	var err error
	c.last, err = clone(c.original)
	return err
}

func clone(d *Deployment) (*Deployment, error) {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(d); err != nil {
		return nil, err
	}
	var out Deployment
	if err := gob.NewDecoder(&b).Decode(&out); err != nil {
		return nil, err
	}
	return &out, nil
}

// Drift looks for objects that somebody changed.
type Drift struct {
	wanted, found []*Deployment
	drifted       int
}

func startDrift(s *run.Service) error {
	d := &Drift{}
	for i := 0; i < 20; i++ {
		d.wanted = append(d.wanted, newDeployment(fmt.Sprint("web-", i)))
		d.found = append(d.found, newDeployment(fmt.Sprint("web-", i)))
	}
	s.Reconcile(1, d.Reconcile)
	return nil
}

// Reconcile is called for each object, and looks at all of them.
func (d *Drift) Reconcile(ctx context.Context, key string) error {
	d.drifted = 0
	for i := range d.wanted {
		if d.changed(d.wanted[i], d.found[i]) {
			d.drifted++
		}
	}
	return nil
}

func (d *Drift) changed(a, b *Deployment) bool {
	return !reflect.DeepEqual(a, b)
}

// An Audit lists the fields of each object, which it finds by reflection.
type Audit struct {
	object *Deployment
	names  map[string]bool
}

func startAudit(s *run.Service) error {
	a := &Audit{object: newDeployment("web"), names: make(map[string]bool, 64)}
	s.Reconcile(1, a.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (a *Audit) Reconcile(ctx context.Context, key string) error {
	for _, c := range a.object.Containers {
		a.fields(reflect.ValueOf(c))
	}
	return nil
}

func (a *Audit) fields(v reflect.Value) {
	for i := 0; i < v.NumField(); i++ {
		if field := v.Type().Field(i); field.Tag.Get("json") != "" && !v.Field(i).IsZero() {
			if v.Field(i).Interface() != nil {
				a.names[field.Name] = true
			}
		}
		if method := v.MethodByName("Validate"); method.IsValid() {
			a.names["Validate"] = true
		}
	}
}
