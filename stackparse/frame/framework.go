package frame

import (
	"strings"
	"sync"

	"github.com/gotriage/triage/internal/symbol"
)

// layers are the packages that run the program's code and are rarely the culprit, by import path without vendor prefix
// and major version. Each has its functions, closures included, as "Type.Method", "Type.*" or "Func"; wholeLayers are
// those of which all functions count. Names come from the public sources of the modules, several releases each:
// wait.BackoffUntil, RunWithContext and the like are listed beside their older names.
var layers = map[string]string{
	"github.com/cloudwego/hertz/pkg/app": "RequestContext.Next",
	"github.com/gin-gonic/gin": "Context.Next Engine.* CustomRecoveryWithWriter LoggerWithConfig " +
		"RecoveryWithWriter",
	"github.com/go-chi/chi":                          "Mux.* ChainHandler.*",
	"github.com/go-kit/kit/transport/http":           "Server.*",
	"github.com/gofiber/fiber":                       "App.* Ctx.Next",
	"github.com/gorilla/mux":                         "Router.* MiddlewareFunc.*",
	"github.com/grpc-ecosystem/grpc-gateway/runtime": "ServeMux.*",
	"github.com/julienschmidt/httprouter":            "Router.*",
	"github.com/labstack/echo":                       "Echo.* Echo.ServeHTTP WrapHandler WrapMiddleware",
	"github.com/oklog/run":                           "Group.Run",
	"github.com/panjf2000/ants":                      "goWorker.* goWorkerWithFunc.* Pool.* PoolWithFunc.*",
	"github.com/prometheus/client_golang/prometheus/promhttp": "InstrumentHandlerCounter InstrumentHandlerDuration " +
		"InstrumentHandlerInFlight InstrumentHandlerRequestSize InstrumentHandlerResponseSize " +
		"InstrumentRoundTripperDuration InstrumentRoundTripperInFlight InstrumentRoundTripperCounter " +
		"RoundTripperFunc.RoundTrip",
	"golang.org/x/net/http2": "serverConn.*",
	"google.golang.org/grpc": "Server.* NewServer ChainUnaryServer chainUnaryInterceptors chainStreamInterceptors " +
		"chainUnaryServerInterceptors chainStreamServerInterceptors getChainUnaryHandler getChainStreamHandler " +
		"getChainUnaryInvoker getChainStreamer",
	"k8s.io/apiserver/pkg/endpoints/metrics": "InstrumentHandlerFunc InstrumentRouteFunc",
	"k8s.io/apiserver/pkg/server":            "director.* APIServerHandler.*",
	"k8s.io/client-go/tools/cache": "ResourceEventHandlerFuncs.* ResourceEventHandlerDetailedFuncs.* " +
		"FilteringResourceEventHandler.* processorListener.* controller.* sharedIndexInformer.* sharedProcessor.* " +
		"DeltaFIFO.Pop RealFIFO.Pop RealFIFO.PopBatch processDeltas processDeltasInBatch Reflector.Run " +
		"Reflector.RunWithContext",
	"k8s.io/client-go/tools/leaderelection": "LeaderElector.* RunOrDie",
	"net/http": "HandlerFunc.* ServeMux.* serverHandler.* conn.* timeoutHandler.* initALPNRequest.* " +
		"http2serverConn.* StripPrefix AllowQuerySemicolons MaxBytesHandler",
	"reflect":       "Value.Call Value.CallSlice Value.call callMethod callReflect makeFuncStub methodValueCall",
	"runtime/pprof": "Do",
	"runtime/trace": "WithRegion",
	"sigs.k8s.io/controller-runtime/pkg/handler": "Funcs.* TypedFuncs.*",
	"sigs.k8s.io/controller-runtime/pkg/webhook": "Admission.* Server.* instrumentedHook",
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission": "Webhook.* HandlerFunc.* multiMutating.* " +
		"multiValidating.* validatorForType.* defaulterForType.* validatingHandler.* mutatingHandler.*",
	"sync": "Once.* OnceFunc OnceValue OnceValues Pool.Get WaitGroup.Go",
}

// wholeLayers returns the packages that are layers as a whole.
var wholeLayers = sync.OnceValue(func() map[string]bool {
	const table = `
github.com: golang/glog gorilla/handlers justinas/alice sirupsen/logrus spf13/cobra stretchr/testify/suite
github.com/go-chi/chi: middleware
github.com/go-logr: logr zapr
github.com/grpc-ecosystem: go-grpc-middleware go-grpc-middleware/recovery go-grpc-prometheus
github.com/labstack/echo: middleware
github.com/rancher: lasso/pkg/controller wrangler/pkg/generic wrangler/pkg/leader wrangler/pkg/start
github.com/sourcegraph: conc conc/panics conc/pool
github.com/urfave: cli negroni
go.opencensus.io/plugin: ochttp
go.opentelemetry.io/contrib/instrumentation: google.golang.org/grpc/otelgrpc net/http/otelhttp
go.uber.org: dig fx zap zap/internal/stacktrace zap/zapcore
golang.org/x: net/http2/h2c sync/errgroup sync/singleflight
gopkg.in/urfave: cli
k8s.io: client-go/util/retry client-go/util/workqueue klog klog/internal/serialize klog/klogr klog/textlogger
k8s.io/apimachinery/pkg/util: runtime wait
k8s.io/apiserver/pkg: endpoints/filterlatency endpoints/filters server/filters server/httplog
sigs.k8s.io/controller-runtime/pkg: internal/controller internal/log internal/source log manager reconcile
sigs.k8s.io/controller-runtime/pkg/webhook: internal/metrics
os: signal
runtime: debug
`
	layers := map[string]bool{"testing": true}
	for line := range strings.Lines(table) {
		dir, packages, _ := strings.Cut(line, ":")
		for pkg := range strings.FieldsSeq(packages) {
			layers[dir+"/"+pkg] = true
		}
	}
	return layers
})

// Framework reports whether f belongs to a well-known layer that runs the program's code and is rarely guilty: worker
// loops, informer plumbing, HTTP and RPC dispatch, loggers, panic handlers. Vendor prefixes, major versions and escapes
// don't matter; where the program is such a library itself, none of its frames is framework.
func (p Program) Framework(f Frame) bool {
	pkg, _ := symbol.SplitPackage(f.Func)
	return p.isFramework(f, pkg)
}

func (p Program) isFramework(f Frame, pkg string) bool {
	if pkg == "" {
		return false
	}
	if pkg == "main" {
		return f.File == "_testmain.go" // generated by go test: calls testing.(*M).Run
	}
	vendored := symbol.VendorEnd(pkg)
	if vendored == 0 && within(pkg, p.Module) || p.claims(pkg) {
		return false
	}
	path := plainPath(pkg)
	if wholeLayers()[path] {
		return true
	}
	funcs := layers[path]
	return funcs != "" && inLayer(funcs, symbol.ParseName(f.Func))
}

// plainPath is the import path of a package without vendor prefix, major versions and escapes.
func plainPath(pkg string) string {
	path := symbol.DropMajors(symbol.Unescape(pkg[symbol.VendorEnd(pkg):]))
	if i := symbol.LastIndex(path, ".v"); i >= 0 && strings.HasPrefix(path, "gopkg.in/") && symbol.IsMajor(path[i+1:]) {
		path = path[:i]
	}
	return path
}

// inLayer reports whether a layer's functions, as in layers, have n's.
func inLayer(funcs string, n symbol.Name) bool {
	for fn := range strings.FieldsSeq(funcs) {
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
