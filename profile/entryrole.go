package profile

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
)

// controllers are functions, by the beginning of their plain names, that run a program's code for the same objects
// again and again, dispatchers those that run it otherwise. From the sources of these modules, several releases each.
var (
	controllers = []string{
		"sigs.k8s.io/controller-runtime/pkg/internal/controller.", "sigs.k8s.io/controller-runtime/pkg/reconcile.",
		"github.com/rancher/lasso/pkg/controller.", "github.com/rancher/wrangler/pkg/generic.",
		"knative.dev/pkg/controller.", "k8s.io/client-go/tools/cache.",
	}
	dispatchers = []string{
		"google.golang.org/grpc.(*Server).", "net/rpc.(*service).call", "connectrpc.com/connect.(*Handler).",
		"net/http.HandlerFunc.ServeHTTP", "net/http.(*ServeMux).ServeHTTP", "net/http.serverHandler.ServeHTTP",
		"net/http.(*conn).serve", "github.com/gin-gonic/gin.", "github.com/go-chi/chi", "github.com/gofiber/fiber.",
		"github.com/gorilla/mux.", "github.com/julienschmidt/httprouter.", "github.com/labstack/echo.",
		"github.com/valyala/fasthttp.", "github.com/emicklei/go-restful.", "k8s.io/apimachinery/pkg/util/wait.",
		"github.com/spf13/cobra.", "github.com/urfave/cli.",
	}
)

// An entryRole is what a function has to do with where the program's own code begins.
type entryRole uint8

const (
	roleNone       entryRole = iota
	roleOwn                  // own code
	roleReconcile            // own code, a method Reconcile
	roleController           // of controllers
	roleDispatcher           // of dispatchers
)

// entryRolesOf returns each function's part.
func entryRolesOf(v *View) []entryRole {
	parts := make([]entryRole, len(v.Functions))
	for i, name := range v.plain {
		switch own := v.guilt[i] == guiltOwn; {
		case own && strings.HasSuffix(symbol.Base(name), ".Reconcile"):
			parts[i] = roleReconcile
		case own:
			parts[i] = roleOwn
		case hasPrefix(name, controllers...):
			parts[i] = roleController
		case hasPrefix(name, dispatchers...):
			parts[i] = roleDispatcher
		}
	}
	return parts
}

// entryFrame finds where the program's own code begins in a stack: in a method Reconcile of its own wherever that is,
// else in the first function of its own that a controller or dispatcher calls, else in its outermost one; -1 for none.
func (v *View) entryFrame(frames []int32) int {
	at, under, called := -1, false, false
	parts := v.entryRoles()
	for i, f := range slices.Backward(frames) {
		switch parts[v.Frames[f].Func] {
		case roleReconcile:
			return i
		case roleController, roleDispatcher:
			under = true
		case roleOwn:
			if at < 0 || under && !called {
				at, called = i, under
			}
		}
	}
	return at
}

// Recurs reports whether a stack has a controller's Reconcile, or a function that calls it or an informer's event
// handlers: these do the same for the same objects again and again.
func (v *View) Recurs(s *Stack) bool {
	parts := v.entryRoles()
	return slices.ContainsFunc(s.Frames, func(f int32) bool {
		p := parts[v.Frames[f].Func]
		return p == roleReconcile || p == roleController
	})
}
