package frame

import (
	"sort"
	"strings"
)

// A layer is a package whose functions run the program's code and are rarely the culprit.
type layer struct {
	pkg   string   // import path without vendor prefix and major version
	funcs []string // "Type.Method", "Type.*" or "Func", closures included; empty: the whole package
}

// layers are the packages that Framework knows, sorted by path. Names come from the public sources of the modules,
// several releases each: wait.BackoffUntil, RunWithContext and the like are listed beside their older names.
var layers = []layer{
	{pkg: "github.com/cloudwego/hertz/pkg/app", funcs: []string{"RequestContext.Next"}},
	{pkg: "github.com/gin-gonic/gin", funcs: []string{
		"Context.Next", "Engine.*", "CustomRecoveryWithWriter", "LoggerWithConfig", "RecoveryWithWriter",
	}},
	{pkg: "github.com/go-chi/chi", funcs: []string{"Mux.*", "ChainHandler.*"}},
	{pkg: "github.com/go-chi/chi/middleware"},
	{pkg: "github.com/go-kit/kit/transport/http", funcs: []string{"Server.*"}},
	{pkg: "github.com/go-logr/logr"},
	{pkg: "github.com/go-logr/zapr"},
	{pkg: "github.com/gofiber/fiber", funcs: []string{"App.*", "Ctx.Next"}},
	{pkg: "github.com/golang/glog"},
	{pkg: "github.com/gorilla/handlers"},
	{pkg: "github.com/gorilla/mux", funcs: []string{"Router.*", "MiddlewareFunc.*"}},
	{pkg: "github.com/grpc-ecosystem/go-grpc-middleware"},
	{pkg: "github.com/grpc-ecosystem/go-grpc-middleware/recovery"},
	{pkg: "github.com/grpc-ecosystem/go-grpc-prometheus"},
	{pkg: "github.com/grpc-ecosystem/grpc-gateway/runtime", funcs: []string{"ServeMux.*"}},
	{pkg: "github.com/julienschmidt/httprouter", funcs: []string{"Router.*"}},
	{pkg: "github.com/justinas/alice"},
	{pkg: "github.com/labstack/echo", funcs: []string{"Echo.*", "Echo.ServeHTTP", "WrapHandler", "WrapMiddleware"}},
	{pkg: "github.com/labstack/echo/middleware"},
	{pkg: "github.com/oklog/run", funcs: []string{"Group.Run"}},
	{pkg: "github.com/panjf2000/ants", funcs: []string{"goWorker.*", "goWorkerWithFunc.*", "Pool.*", "PoolWithFunc.*"}},
	{pkg: "github.com/prometheus/client_golang/prometheus/promhttp", funcs: []string{
		"InstrumentHandlerCounter", "InstrumentHandlerDuration", "InstrumentHandlerInFlight",
		"InstrumentHandlerRequestSize", "InstrumentHandlerResponseSize", "InstrumentRoundTripperDuration",
		"InstrumentRoundTripperInFlight", "InstrumentRoundTripperCounter", "RoundTripperFunc.RoundTrip",
	}},
	{pkg: "github.com/rancher/lasso/pkg/controller"},
	{pkg: "github.com/rancher/wrangler/pkg/generic"},
	{pkg: "github.com/rancher/wrangler/pkg/leader"},
	{pkg: "github.com/rancher/wrangler/pkg/start"},
	{pkg: "github.com/sirupsen/logrus"},
	{pkg: "github.com/sourcegraph/conc"},
	{pkg: "github.com/sourcegraph/conc/panics"},
	{pkg: "github.com/sourcegraph/conc/pool"},
	{pkg: "github.com/spf13/cobra"},
	{pkg: "github.com/stretchr/testify/suite"},
	{pkg: "github.com/urfave/cli"},
	{pkg: "github.com/urfave/negroni"},
	{pkg: "go.opencensus.io/plugin/ochttp"},
	{pkg: "go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"},
	{pkg: "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"},
	{pkg: "go.uber.org/dig"},
	{pkg: "go.uber.org/fx"},
	{pkg: "go.uber.org/zap"},
	{pkg: "go.uber.org/zap/internal/stacktrace"},
	{pkg: "go.uber.org/zap/zapcore"},
	{pkg: "golang.org/x/net/http2", funcs: []string{"serverConn.*"}},
	{pkg: "golang.org/x/net/http2/h2c"},
	{pkg: "golang.org/x/sync/errgroup"},
	{pkg: "golang.org/x/sync/singleflight"},
	{pkg: "google.golang.org/grpc", funcs: []string{
		"Server.*", "NewServer", "ChainUnaryServer", "chainUnaryInterceptors", "chainStreamInterceptors",
		"chainUnaryServerInterceptors", "chainStreamServerInterceptors", "getChainUnaryHandler",
		"getChainStreamHandler", "getChainUnaryInvoker", "getChainStreamer",
	}},
	{pkg: "gopkg.in/urfave/cli"},
	{pkg: "k8s.io/apimachinery/pkg/util/runtime"},
	{pkg: "k8s.io/apimachinery/pkg/util/wait"},
	{pkg: "k8s.io/apiserver/pkg/endpoints/filterlatency"},
	{pkg: "k8s.io/apiserver/pkg/endpoints/filters"},
	{pkg: "k8s.io/apiserver/pkg/endpoints/metrics", funcs: []string{"InstrumentHandlerFunc", "InstrumentRouteFunc"}},
	{pkg: "k8s.io/apiserver/pkg/server", funcs: []string{"director.*", "APIServerHandler.*"}},
	{pkg: "k8s.io/apiserver/pkg/server/filters"},
	{pkg: "k8s.io/apiserver/pkg/server/httplog"},
	{pkg: "k8s.io/client-go/tools/cache", funcs: []string{
		"ResourceEventHandlerFuncs.*", "ResourceEventHandlerDetailedFuncs.*", "FilteringResourceEventHandler.*",
		"processorListener.*", "controller.*", "sharedIndexInformer.*", "sharedProcessor.*", "DeltaFIFO.Pop",
		"RealFIFO.Pop", "RealFIFO.PopBatch", "processDeltas", "processDeltasInBatch", "Reflector.Run",
		"Reflector.RunWithContext",
	}},
	{pkg: "k8s.io/client-go/tools/leaderelection", funcs: []string{"LeaderElector.*", "RunOrDie"}},
	{pkg: "k8s.io/client-go/util/retry"},
	{pkg: "k8s.io/client-go/util/workqueue"},
	{pkg: "k8s.io/klog"},
	{pkg: "k8s.io/klog/internal/serialize"},
	{pkg: "k8s.io/klog/klogr"},
	{pkg: "k8s.io/klog/textlogger"},
	{pkg: "net/http", funcs: []string{
		"HandlerFunc.*", "ServeMux.*", "serverHandler.*", "conn.*", "timeoutHandler.*", "initALPNRequest.*",
		"http2serverConn.*", "StripPrefix", "AllowQuerySemicolons", "MaxBytesHandler",
	}},
	{pkg: "os/signal"},
	{pkg: "reflect", funcs: []string{
		"Value.Call", "Value.CallSlice", "Value.call", "callMethod", "callReflect", "makeFuncStub",
		"methodValueCall",
	}},
	{pkg: "runtime/debug"},
	{pkg: "runtime/pprof", funcs: []string{"Do"}},
	{pkg: "runtime/trace", funcs: []string{"WithRegion"}},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/handler", funcs: []string{"Funcs.*", "TypedFuncs.*"}},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/internal/controller"},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/internal/log"},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/internal/source"},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/log"},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/manager"},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/reconcile"},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/webhook", funcs: []string{"Admission.*", "Server.*", "instrumentedHook"}},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/webhook/admission", funcs: []string{
		"Webhook.*", "HandlerFunc.*", "multiMutating.*", "multiValidating.*", "validatorForType.*",
		"defaulterForType.*", "validatingHandler.*", "mutatingHandler.*",
	}},
	{pkg: "sigs.k8s.io/controller-runtime/pkg/webhook/internal/metrics"},
	{pkg: "sync", funcs: []string{"Once.*", "OnceFunc", "OnceValue", "OnceValues", "Pool.Get", "WaitGroup.Go"}},
	{pkg: "testing"},
}

// Framework reports whether f belongs to a well-known layer that runs the program's code and is rarely guilty: worker
// loops, informer plumbing, HTTP and RPC dispatch, loggers, panic handlers. Vendor prefixes, major versions and
// escapes don't matter; where the program is such a library itself, none of its frames
// is framework.
func (p Program) Framework(f Frame) bool {
	pkg, _ := splitPackage(f.Func)
	return p.framework(f, pkg)
}

func (p Program) framework(f Frame, pkg string) bool {
	if pkg == "" {
		return false
	}
	if pkg == "main" {
		return f.File == "_testmain.go" // generated by go test: calls testing.(*M).Run
	}
	vendored := vendorEnd(pkg)
	if vendored == 0 && within(pkg, p.Module) {
		return false
	}
	path := dropMajor(Unescape(pkg[vendored:]))
	i := sort.Search(len(layers), func(i int) bool { return layers[i].pkg >= path })
	if i == len(layers) || layers[i].pkg != path {
		return false
	}
	return layers[i].has(ParseName(f.Func))
}

// has reports whether the layer names n's function.
func (l layer) has(n Name) bool {
	if len(l.funcs) == 0 {
		return true
	}
	for _, fn := range l.funcs {
		typ, method, ok := strings.Cut(fn, ".")
		switch {
		case !ok:
			if n.Receiver == "" && n.Func == fn || n.Receiver == fn {
				return true // Receiver == fn: a function inlined into it, see ParseName
			}
		case n.Receiver == typ && (method == "*" || method == n.Func):
			return true
		}
	}
	return false
}

// dropMajor removes the major version from an import path: "k8s.io/klog/v2" and "gopkg.in/yaml.v3".
func dropMajor(path string) string {
	if strings.HasPrefix(path, "gopkg.in/") {
		if i := strings.LastIndex(path, ".v"); i >= 0 && isMajor(path[i+1:]) {
			return path[:i]
		}
		return path
	}
	if !strings.Contains(path, "/v") {
		return path
	}
	for i := 0; i < len(path); {
		j := strings.IndexByte(path[i:], '/')
		if j < 0 {
			j = len(path) - i
		}
		if i > 0 && isMajor(path[i:i+j]) {
			return path[:i-1] + path[i+j:]
		}
		i += j + 1
	}
	return path
}
