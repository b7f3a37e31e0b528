package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// founding is a controller that makes a client certificate for every reconcile, four times.
const founding = `
	400 | math/big.addMulVVW@math/big/arith.s:1 < crypto/rsa.GenerateKey@crypto/rsa/rsa.go:20 < KEY:31 < REC:50 < RUN
	300 | math/big.addMulVVW@math/big/arith.s:1 < crypto/rsa.GenerateKey@crypto/rsa/rsa.go:20 < KEY:31 < REC:58 < RUN
	100 | math/big.addMulVVW@math/big/arith.s:1 < crypto/rsa.GenerateKey@crypto/rsa/rsa.go:20 < KEY:31 < REC:66 < RUN
	100 | math/big.addMulVVW@math/big/arith.s:1 < crypto/rsa.GenerateKey@crypto/rsa/rsa.go:20 < KEY:31 < REC:74 < RUN
	20 | math/big.addMulVVW@math/big/arith.s:1 < crypto/rsa.GenerateKey@crypto/rsa/rsa.go:20 < SELF:12 < runtime.main@runtime/proc.go:1
	80 | encoding/json.Marshal@encoding/json/encode.go:1 < REC:90 < RUN`

func foundingView(t *testing.T) *View {
	return cpu(strings.NewReplacer(
		"KEY", "example.com/op/internal/certs.newClientKey@/src/op/internal/certs/key.go",
		"REC", "example.com/op/internal/ctrl.(*ClusterReconciler).Reconcile@/src/op/internal/ctrl/cluster.go",
		"RUN", "sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).reconcileHandler@/go/pkg/mod/sigs.k8s.io/controller-runtime@v0.19.0/internal/controller/controller.go:9",
		"SELF", "main.selfTest@/src/op/main.go",
	).Replace(founding)).view(t)
}

func blameOf(t *testing.T, v *View, patterns ...string) *Blame {
	t.Helper()
	return v.Blame(selectionOf(t, v, patterns...))
}

func TestBlameNamesWhoAsksAtHowManyCallSites(t *testing.T) {
	v := foundingView(t)
	b := blameOf(t, v, "crypto/rsa.GenerateKey")
	c := b.Culprit
	if c.Func != "example.com/op/internal/certs.newClientKey" || c.Line != 31 || c.Class.String() != "own" || v.Share(c.Weight) != 0.9 {
		t.Errorf("culprit %+v", c)
	}
	if len(b.Payers) != 2 || b.Payers[1].Func != "main.selfTest" {
		t.Errorf("payers %+v", b.Payers)
	}
	caller := b.Callers()[0]
	if !strings.HasSuffix(caller.Func, "Reconcile") || caller.Sites != 4 || caller.Lines[0].Line != 50 || len(b.Callers()) != 1 {
		t.Errorf("it is called at %d lines of %s", caller.Sites, caller.Func)
	}
	e := b.Entries()[0]
	if !strings.HasSuffix(e.Func, "(*ClusterReconciler).Reconcile") || e.Weight.Samples != 900 {
		t.Errorf("entry %+v", e)
	}
}

func TestBlameOfTheSameFunctionForAnotherCause(t *testing.T) {
	v := foundingView(t)
	b := blameOf(t, v, "encoding/json.*")
	if c := b.Culprit; c == nil || c.Line != 90 || c.Weight.Samples != 80 || len(b.Callers()) != 0 {
		t.Errorf("culprit %+v, callers %+v", c, b.Callers())
	}
}

func TestBlameFallsBackToTheDependencyThatAsks(t *testing.T) {
	v := cpu(`
		90 | crypto/sha256.block@crypto/sha256/s.go:1 < github.com/x/dep.Sum@/go/pkg/mod/github.com/x/dep@v1.2.3/d.go:8 < github.com/x/dep.loop@/go/pkg/mod/github.com/x/dep@v1.2.3/d.go:3
		10 | crypto/sha256.block@crypto/sha256/s.go:1 < runtime.goexit@runtime/asm.s:1
		5 | x@x.go:1 < example.com/shop/a.F@/src/shop/a/a.go:1 < main.main@/src/shop/main.go:1`).view(t)
	b := blameOf(t, v, "crypto/sha256.*")
	if b.Culprit == nil || b.Culprit.Func != "github.com/x/dep.Sum" || len(b.Own) != 0 || len(b.Dependencies) != 1 {
		t.Errorf("culprit %+v, own %+v", b.Culprit, b.Own)
	}
	if b.Hidden.Samples != 10 {
		t.Errorf("%d samples show nobody, want 10", b.Hidden.Samples)
	}
}

func TestBlameOfTheSchedulersOwnStacksNamesNobody(t *testing.T) {
	v := cpu("98 | runtime.futex@runtime/sys.s:1 < runtime.goschedImpl@runtime/proc.go:1 < runtime.mcall@runtime/asm.s:1").view(t)
	b := blameOf(t, v, "runtime.goschedImpl")
	if b.Culprit != nil || v.Share(b.Hidden) != 1 || len(b.Entries()) != 0 {
		t.Errorf("culprit %+v, hidden %v", b.Culprit, b.Hidden)
	}
}

func TestBlameTakesClosuresForTheirFunction(t *testing.T) {
	v := cpu(`
		10 | regexp.Compile@regexp/r.go:1 < example.com/shop/a.(*T).Serve.func1@/src/shop/a/a.go:7 < main.main@/src/shop/main.go:1
		15 | regexp.Compile@regexp/r.go:1 < example.com/shop/a.(*T).Serve@/src/shop/a/a.go:9 < main.main@/src/shop/main.go:1
		20 | regexp.Compile@regexp/r.go:1 < example.com/shop/b.Map[go.shape.int]@/src/shop/b/b.go:9 < main.main@/src/shop/main.go:1`).view(t)
	b := blameOf(t, v, "regexp.Compile")
	if c := b.Culprit; c.Func != "example.com/shop/a.(*T).Serve" || c.Weight.Samples != 25 || c.Sites != 2 || c.Line != 9 {
		t.Errorf("culprit %+v", c)
	}
}

func TestBlameOfARecursiveCallLooksOutsideAllOfIt(t *testing.T) {
	v := cpu(`10 | encoding/json.Marshal@encoding/json/e.go:1 < example.com/shop/a.(*T).MarshalJSON@/src/shop/a/a.go:7 < encoding/json.Marshal@encoding/json/e.go:1 < example.com/shop/b.Send@/src/shop/b/b.go:4 < main.main@/src/shop/main.go:1`).view(t)
	if c := blameOf(t, v, "encoding/json.Marshal").Culprit; c.Func != "example.com/shop/b.Send" {
		t.Errorf("culprit %+v", c)
	}
}

func TestEntryIsTheCodeThatADispatcherCalls(t *testing.T) {
	const leaf = "10 | fmt.Sprintf@fmt/p.go:1 < example.com/shop/a.work@/src/shop/a/a.go:7 < "
	const main = " < main.main@/src/shop/main.go:1"
	for _, tt := range []struct {
		claim, stack, want string
		recurs             bool
	}{
		{"an HTTP handler", "example.com/shop/web.Get@/src/shop/web/w.go:1 < net/http.HandlerFunc.ServeHTTP@net/http/s.go:1 < net/http.(*conn).serve@net/http/s.go:2", "web.Get", false},
		{"a handler behind the program's own middleware", "example.com/shop/web.Get@/src/shop/web/w.go:1 < net/http.HandlerFunc.ServeHTTP@net/http/s.go:1 < example.com/shop/web.Auth.func1@/src/shop/web/w.go:9 < net/http.HandlerFunc.ServeHTTP@net/http/s.go:1 < net/http.(*conn).serve@net/http/s.go:2", "web.Auth.func1", false},
		{"a gRPC handler", "example.com/shop/rpc.(*S).Get@/src/shop/rpc/r.go:1 < google.golang.org/grpc.(*Server).processUnaryRPC@/go/pkg/mod/google.golang.org/grpc@v1.6/s.go:1", "rpc.(*S).Get", false},
		{"an event handler", "example.com/shop/ctl.(*C).onUpdate@/src/shop/ctl/c.go:1 < k8s.io/client-go/tools/cache.(*processorListener).run.func1@/go/pkg/mod/k8s.io/client-go@v0.3/c.go:1 < k8s.io/apimachinery/pkg/util/wait.JitterUntil@w.go:1", "ctl.(*C).onUpdate", true},
		{"a loop of wait.Until", "example.com/shop/ctl.(*C).worker@/src/shop/ctl/c.go:1 < k8s.io/apimachinery/pkg/util/wait.JitterUntil@w.go:1 < example.com/shop/ctl.(*C).Run@/src/shop/ctl/c.go:3", "ctl.(*C).worker", false},
		{"a goroutine", "example.com/shop/ctl.(*C).Run@/src/shop/ctl/c.go:3", "ctl.(*C).Run", false},
		{"main", "example.com/shop/ctl.Run@/src/shop/ctl/c.go:3" + main + " < runtime.main@runtime/proc.go:1", "main.main", false},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			v := cpu(leaf + tt.stack + "\n1 | a@a.s:1" + main).view(t)
			b := blameOf(t, v, "fmt.*")
			recurs := v.Recurs(&v.Stacks[0])
			if len(b.Entries()) != 1 || recurs != tt.recurs || !strings.HasSuffix(b.Entries()[0].Func, tt.want) {
				t.Errorf("entries %+v that recur: %v, want %s, %v", b.Entries(), recurs, tt.want, tt.recurs)
			}
		})
	}
}

func TestPathIsTheHeaviestWayAndFoldsRecursion(t *testing.T) {
	v := cpu(`
		500 | k.Gen@k.go:1 < a.walk@a.go:5 < a.visit@a.go:9 < a.walk@a.go:6 < a.visit@a.go:9 < a.walk@a.go:6 < main.main@m.go:1
		490 | k.inner@k.go:2 < k.Gen@k.go:1 < b.F@b.go:5 < main.main@m.go:2
		5 | k.Gen@k.go:1 < c.Rare@c.go:5 < main.main@m.go:2
		800 | other@o.go:1 < main.main@m.go:9`).view(t)
	var path []string
	for _, n := range blameOf(t, v, "k.Gen").Path() {
		path = append(path, fmt.Sprintf("%s:%d %d", n.Func, n.Line, n.Weight.Samples))
	}
	if diff := cmp.Diff([]string{"main.main:1 995", "a.walk:6 500", "k.Gen:1 500"}, path); diff != "" {
		t.Errorf("heaviest path (-want +got):\n%s", diff)
	}
}

func TestPathIsBounded(t *testing.T) {
	var lines strings.Builder
	for i := range 400 {
		fmt.Fprintf(&lines, "%d | k.Gen@k.go:1", 10000)
		for j := range 200 {
			fmt.Fprintf(&lines, " < p%d.f%d@p.go:1", i%50, j)
		}
		lines.WriteString(" < main.main@m.go:1\n")
	}
	if path := blameOf(t, cpu(lines.String()).view(t), "k.Gen").Path(); len(path) > maxDepth || len(path) < 10 {
		t.Errorf("a path of %d functions", len(path))
	}
}
