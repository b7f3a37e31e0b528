package profile

import (
	"strings"

	"github.com/gotriage/triage/stackparse/frame"
)

// A dispatch is what runs the program's own code.
type dispatch string

// The dispatches; dispatchGoroutine is a go statement of the program's own, or something that isn't known.
const (
	dispatchReconcile dispatch = "reconcile" // a controller's worker
	dispatchHTTP      dispatch = "http"
	dispatchRPC       dispatch = "rpc"
	dispatchEvent     dispatch = "event" // an informer's event handler
	dispatchLoop      dispatch = "loop"  // wait.Until and the like
	dispatchTimer     dispatch = "timer"
	dispatchCommand   dispatch = "command"
	dispatchTest      dispatch = "test"
	dispatchMain      dispatch = "main"
	dispatchGoroutine dispatch = "goroutine"
)

// dispatchers are the functions that run a program's code, by the beginning of their plain names. From the sources of
// these modules, several releases each.
var dispatchers = []struct {
	dispatch dispatch
	prefixes []string
}{
	{dispatchReconcile, []string{
		"sigs.k8s.io/controller-runtime/pkg/internal/controller.", "sigs.k8s.io/controller-runtime/pkg/reconcile.",
		"github.com/rancher/lasso/pkg/controller.", "github.com/rancher/wrangler/pkg/generic.",
		"knative.dev/pkg/controller.",
	}},
	{dispatchRPC, []string{
		"google.golang.org/grpc.(*Server).", "net/rpc.(*service).call", "connectrpc.com/connect.(*Handler).",
	}},
	{dispatchHTTP, []string{
		"net/http.HandlerFunc.ServeHTTP", "net/http.(*ServeMux).ServeHTTP", "net/http.serverHandler.ServeHTTP",
		"net/http.(*conn).serve", "github.com/gin-gonic/gin.", "github.com/go-chi/chi", "github.com/gofiber/fiber.",
		"github.com/gorilla/mux.", "github.com/julienschmidt/httprouter.", "github.com/labstack/echo.",
		"github.com/valyala/fasthttp.", "github.com/emicklei/go-restful.",
	}},
	{dispatchEvent, []string{"k8s.io/client-go/tools/cache."}},
	{dispatchLoop, []string{"k8s.io/apimachinery/pkg/util/wait."}},
	{dispatchTimer, []string{"time.goFunc"}},
	{dispatchCommand, []string{"github.com/spf13/cobra.", "github.com/urfave/cli."}},
	{dispatchTest, []string{"testing."}},
	{dispatchMain, []string{"runtime.main"}},
}

// dispatchesOf returns what each function dispatches, "" for nothing.
func dispatchesOf(v *View) []dispatch {
	kinds := make([]dispatch, len(v.Functions))
	for i := range kinds {
		if v.Class[i] == frame.ClassOwn {
			continue
		}
		for k := range dispatchers {
			if hasPrefix(v.plain[i], dispatchers[k].prefixes...) {
				kinds[i] = dispatchers[k].dispatch
				break
			}
		}
	}
	return kinds
}

// entry finds where the program's own code begins in a stack: in a method Reconcile of its own wherever that is, else
// in the first function of its own that a dispatcher calls, else in its outermost one; -1 for none.
func (v *View) entry(frames []int32) (at int, kind dispatch) {
	kinds, groups := v.dispatches(), v.grouping()
	at = -1
	under := dispatchGoroutine
	for i := len(frames) - 1; i >= 0; i-- {
		fn := v.Frames[frames[i]].Func
		if k := kinds[fn]; k != "" {
			under = k
			continue
		}
		if v.Class[fn] != frame.ClassOwn || v.Functions[fn].Name == "" {
			continue
		}
		if strings.HasSuffix(groups.names[groups.of[fn]], ".Reconcile") {
			return i, dispatchReconcile
		}
		// Own code that a dispatcher called is nearer to the work than the own code around that dispatcher.
		if at < 0 || rank(under) > rank(kind) {
			at, kind = i, under
		}
	}
	return at, kind
}

// rank orders dispatches by how much they show about the work.
func rank(d dispatch) int {
	switch d {
	case dispatchReconcile, dispatchHTTP, dispatchRPC, dispatchEvent:
		return 2
	case dispatchGoroutine, dispatchMain:
		return 0
	}
	return 1
}
