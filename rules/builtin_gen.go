// Code generated from builtin/*.yaml and roles.yaml by go test ./rules -run TestTheGenerated -update; DO NOT EDIT.

package rules

import "github.com/gotriage/triage/stackparse"

// builtinDefs are the declarative rules of builtin/*.yaml. Nothing changes them.
var builtinDefs = []RuleDef{
	{
		ID:             "TR642",
		Name:           "logging-under-lock",
		Category:       "contention",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "Goroutines that wait for each other to log",
		Title:          "{culprit} makes others wait for its log lines: {share} of the time waited for locks",
		Why:            "A logger holds its lock while it writes, so that a slow terminal, disk or pipe stops everybody who logs. {amount} were waited behind log lines, those of {function} most of all.",
		Fix:            "Log less there; write through a buffer that is flushed in the background (zapcore.BufferedWriteSyncer, a bufio.Writer with a ticker); never log to a console in production.",
		FalsePositives: "A burst of lines at the start.",
		Refs: []string{
			"https://pkg.go.dev/go.uber.org/zap/zapcore#BufferedWriteSyncer",
		},
		ProfileDef: ProfileDef{
			Profile: "mutex",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"log.*",
						"log/slog.*",
						"go.uber.org/zap/**",
						"github.com/rs/zerolog/**",
						"github.com/sirupsen/logrus/**",
						"k8s.io/klog/**",
						"github.com/golang/glog.*",
						"github.com/go-logr/**",
						"github.com/hashicorp/go-hclog.*",
						"github.com/go-kit/log/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.15,
				Medium: 0.3,
				High:   0.9,
			},
			Order:   100,
			Family:  "locks",
			AtLeast: 1,
		},
	},
	{
		ID:             "TR643",
		Name:           "write-lock-holder",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A writer of a read-write lock that makes all readers wait",
		Title:          "{culprit} holds a read-write lock that others wait for ({amount} in all)",
		Why:            "While a writer waits for or holds an RWMutex, no reader gets in. {function} was waited for during {amount} in all, {share} of what is waited for locks.",
		Fix:            "Prepare the new state without the lock and hold it only to swap; put the state behind an atomic.Pointer; write in batches.",
		FalsePositives: "A profile since the start of a process that ran for weeks: seconds are little then.",
		Refs: []string{
			"https://pkg.go.dev/sync#RWMutex",
		},
		ProfileDef: ProfileDef{
			Profile: "mutex",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sync.(*RWMutex).Unlock",
						"sync.(*RWMutex).RUnlock",
						"sync.(*RWMutex).rUnlockSlow",
					},
				},
			},
			Shares: Shares{
				Low:    0.25,
				Medium: 0.5,
			},
			Order:   110,
			Family:  "locks",
			AtLeast: 2,
		},
	},
	{
		ID:             "TR644",
		Name:           "runtime-lock",
		Category:       "contention",
		Severity:       "low",
		Confidence:     "medium",
		Finds:          "Contention for the runtime's own locks",
		Title:          "{culprit} contends for the runtime's locks ({amount} in all)",
		Why:            "{share} of the time waited is for locks inside the runtime: a channel that many use, timers, the allocator for large objects, the scheduler.",
		Fix:            "One channel for each worker or batches over it; fewer timers; reused buffers; a GOMAXPROCS that fits the CPU limit.",
		FalsePositives: "Microseconds each, over weeks.",
		Refs: []string{
			"https://pkg.go.dev/runtime#SetMutexProfileFraction",
		},
		ProfileDef: ProfileDef{
			Profile: "mutex",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.unlock",
						"runtime.unlock2",
						"runtime.unlockWithRank",
						"runtime._LostContendedRuntimeLock",
						"runtime.chansend*",
						"runtime.chanrecv*",
						"runtime.selectgo",
						"runtime.closechan",
					},
				},
			},
			Shares: Shares{
				Low: 0.3,
			},
			Order:   120,
			AtLeast: 2,
		},
	},
	{
		ID:             "TR645",
		Name:           "global-lock",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Contention for a lock inside a library that everybody shares",
		Title:          "{culprit} contends for a library's lock ({amount} in all)",
		Why:            "{share} of the time waited is for a lock inside a library or the standard library, taken for {function} most of all: one generator, pool, file or registry for all goroutines.",
		Fix:            "Give each worker its own, or keep what the lock guards (a metric's child, a random generator of math/rand/v2, a buffered writer).",
		FalsePositives: "A profile since the start of a process that ran for weeks: seconds are little then.",
		Refs: []string{
			"https://pkg.go.dev/math/rand/v2",
		},
		ProfileDef: ProfileDef{
			Profile: "mutex",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"math/rand.(*lockedSource).*",
						"math/rand.(*lockedRand).*",
						"sync.(*Pool).**",
						"github.com/prometheus/client_golang/prometheus.**",
						"database/sql.**",
						"os.(*File).**",
						"internal/poll.(*fdMutex).**",
						"net/http.(*Transport).**",
						"expvar.**",
						"text/template.**",
						"sync.(*Map).**",
						"internal/sync.(*HashTrieMap[...]).**",
					},
				},
			},
			Shares: Shares{
				Low:    0.25,
				Medium: 0.5,
			},
			Order:   105,
			Family:  "locks",
			AtLeast: 2,
		},
	},
	{
		ID:             "TR641",
		Name:           "lock-holder",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "The holder of the lock that others wait for most",
		Title:          "{culprit} holds a lock that others wait for ({amount} in all)",
		Why:            "{function} held the lock while others waited for it, {amount} in all: {share} of what is waited for locks. The stack is the holder's, at its Unlock.",
		Fix:            "Do less under the lock: no I/O, encoding or logging; take what is needed, unlock, then work. Split the lock by key, or let one goroutine own the data.",
		FalsePositives: "A profile since the start of a process that ran for weeks: seconds are little then.",
		Refs: []string{
			"https://pkg.go.dev/runtime#SetMutexProfileFraction",
		},
		ProfileDef: ProfileDef{
			Profile: "mutex",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sync.(*Mutex).Unlock",
						"sync.(*Mutex).unlockSlow",
						"internal/sync.(*Mutex).Unlock",
						"internal/sync.(*Mutex).unlockSlow",
						"sync.(*Cond).*",
					},
				},
			},
			Shares: Shares{
				Low:    0.25,
				Medium: 0.5,
			},
			Order:   130,
			Family:  "locks",
			AtLeast: 2,
		},
	},
	{
		ID:             "TR646",
		Name:           "connection-pool-wait",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Goroutines that wait for a connection of a pool",
		Title:          "{culprit} waits for connections of a pool ({amount} in all)",
		Why:            "{amount} were waited until a pool had a connection to give, for {function} most of all: all of them are in use, or kept by somebody who did not give them back.",
		Fix:            "See who holds them (rows and bodies that are not closed, transactions over other calls); then raise the limit (SetMaxOpenConns, MaxConnsPerHost) or bound what asks.",
		FalsePositives: "A limit that is meant to make callers wait.",
		Refs: []string{
			"https://pkg.go.dev/database/sql#DB.SetMaxOpenConns",
		},
		ProfileDef: ProfileDef{
			Profile: "block",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"database/sql.(*DB).conn",
						"net/http.(*Transport).getConn",
						"net/http.(*Transport).queueForDial",
						"github.com/jackc/pgx/**.Acquire",
						"github.com/jackc/puddle/**",
						"github.com/redis/go-redis/**.Get",
						"github.com/go-redis/redis/**.Get",
						"go.mongodb.org/mongo-driver/**.checkOut",
						"github.com/valyala/fasthttp.(*HostClient).acquireConn",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.3,
			},
			Order:   100,
			AtLeast: 2,
		},
	},
	{
		ID:             "TR647",
		Name:           "rate-limit-wait",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Goroutines that wait for a rate limiter or semaphore of their own program",
		Title:          "{culprit} waits for a rate limiter or semaphore ({amount} in all)",
		Why:            "{amount} were waited for a limit that the program set itself: client-go's default of 5 requests a second, for instance. {function} waited most.",
		Fix:            "Ask for less (a cache in place of live reads), or raise the limit: rest.Config's QPS and Burst, and let the API server's fairness do the rest.",
		FalsePositives: "A limit that is meant.",
		Refs: []string{
			"https://pkg.go.dev/k8s.io/client-go/rest#Config",
		},
		ProfileDef: ProfileDef{
			Profile: "block",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"k8s.io/client-go/util/flowcontrol.**",
						"golang.org/x/time/rate.(*Limiter).**",
						"go.uber.org/ratelimit.**",
						"k8s.io/client-go/rest.(*Request).tryThrottle*",
						"golang.org/x/sync/semaphore.(*Weighted).Acquire",
						"golang.org/x/sync/singleflight.**",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.3,
			},
			Order:   101,
			AtLeast: 2,
		},
	},
	{
		ID:             "TR648",
		Name:           "lock-wait",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Goroutines that wait for locks",
		Title:          "{culprit} waits for a lock ({amount} in all)",
		Why:            "{amount} were waited in Lock, {share} of all blocking, by {function} most of all. A block profile shows who waits; who holds the lock stands in a mutex profile or a dump.",
		Fix:            "Find the holder: a mutex profile (runtime.SetMutexProfileFraction(100)) or a goroutine dump. Then do less under the lock, or split it.",
		FalsePositives: "A profile since the start of a process that ran for weeks: seconds are little then.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/runtime#SetBlockProfileRate",
		},
		ProfileDef: ProfileDef{
			Profile: "block",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sync.(*Mutex).Lock",
						"sync.(*RWMutex).Lock",
						"sync.(*RWMutex).RLock",
						"internal/sync.(*Mutex).Lock",
						"internal/sync.(*Mutex).lockSlow",
						"sync.(*Mutex).lockSlow",
						"sync.(*Once).**",
					},
				},
			},
			Shares: Shares{
				Low:    0.2,
				Medium: 0.5,
			},
			Order:   110,
			AtLeast: 2,
		},
	},
	{
		ID:             "TR650",
		Name:           "send-wait",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Producers that wait for a slow consumer",
		Title:          "{culprit} waits to send on a channel ({amount} in all)",
		Why:            "{amount} were waited to send, {share} of all blocking, by {function} most of all: whoever receives is slower than what is sent.",
		Fix:            "Make the consumer faster or let there be more of them; send batches; bound or drop what comes in.",
		FalsePositives: "A channel that is meant to hold the producer back.",
		Refs: []string{
			"https://go.dev/blog/pipelines",
		},
		ProfileDef: ProfileDef{
			Profile: "block",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.chansend",
						"runtime.chansend1",
						"reflect.Value.Send",
					},
				},
			},
			Shares: Shares{
				Low:    0.2,
				Medium: 0.5,
			},
			Order:   120,
			AtLeast: 2,
		},
	},
	{
		ID:             "TR651",
		Name:           "barrier-wait",
		Category:       "contention",
		Severity:       "low",
		Confidence:     "low",
		Finds:          "Most blocking is waiting for groups of goroutines",
		Title:          "{culprit} waits for goroutines to finish ({amount} in all)",
		Why:            "{share} of all blocking is in Wait: each round of {function} takes as long as its slowest goroutine.",
		Fix:            "Give the slowest a deadline, hand out work one by one in place of in equal parts, don't wait where no result is needed.",
		FalsePositives: "A batch job that is meant to wait; main that waits for the end.",
		Refs: []string{
			"https://pkg.go.dev/sync#WaitGroup",
		},
		ProfileDef: ProfileDef{
			Profile: "block",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sync.(*WaitGroup).Wait",
						"golang.org/x/sync/errgroup.(*Group).Wait",
						"github.com/sourcegraph/conc.(*WaitGroup).Wait",
					},
					NotUnder: []string{
						"main.main",
					},
				},
			},
			Shares: Shares{
				Low: 0.5,
			},
			Order:   130,
			AtLeast: 5,
		},
	},
	{
		ID:         "TR661",
		Name:       "lock-pile-up",
		Category:   "contention",
		Severity:   "medium",
		Confidence: "medium",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"mutex",
					"rwmutex read",
					"rwmutex write",
				},
				Count: Range{
					Min: 100,
				},
			},
		},
		When:           "state == \"\" and share >= 0.2",
		Finds:          "A hundred goroutines or more that wait for a lock in one place, a fifth of all",
		Title:          "{goroutines} wait for a lock in {culprit} ({file}:{line})",
		Why:            "{goroutines} stand in Lock at {file}:{line}. A lock that is held for microseconds has a handful of goroutines waiting: whoever holds it is slow, or never gives it back. A profile doesn't tell who that is.",
		Fix:            "Take a dump with goroutine?debug=2, which tells how long they wait and where the holder stands. Then do less under the lock, and nothing that waits.",
		FalsePositives: "A burst that is over a second later: a second profile tells.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/runtime/pprof#Profile",
		},
	},
	{
		ID:         "TR662",
		Name:       "http-connections-kept",
		Category:   "leak",
		Severity:   "medium",
		Confidence: "low",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"other",
				},
				Frames: FramesMatch{
					Any: []string{
						"net/http.(*persistConn).writeLoop",
					},
				},
				Count: Range{
					Min: 300,
				},
			},
		},
		When:           "state == \"\" and share >= 0.4",
		Finds:          "A process most of whose goroutines are its connections as an HTTP client",
		Title:          "{count} connections of HTTP clients are open, most of what the process does",
		Why:            "{count} goroutines write the connections of HTTP clients, as many read them, and next to nothing else is there. Connections that are kept are few where one Transport is shared: so many mean a Transport for each request, or bodies that are not closed.",
		Fix:            "Share one http.Client and Transport; close every response's body; set IdleConnTimeout.",
		FalsePositives: "A load generator, a crawler, or a proxy to very many hosts that is idle otherwise.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/net/http#Transport",
		},
	},
	{
		ID:             "TR501",
		Name:           "key-generation",
		Category:       "hot-cpu",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on generating private keys again and again",
		Title:          "{culprit} spends {share} of CPU{cores} generating keys",
		Why:            "A private key is made once and kept; a program that shows it in a profile makes one after another. An RSA key of 2,048 bits takes some 50 ms of CPU, one of 4,096 bits up to seconds; {function} asks for them during {own_share} of all CPU.",
		Fix:            "Make the key once and keep it: in memory by cluster, host or secret, or in the Secret that holds the certificate, and make a new one only when that is missing or about to expire. Where many are needed, prefer ECDSA or Ed25519, which take a thousandth of RSA's time.",
		FalsePositives: "A certificate authority or a key server, whose work this is; a test; a process that has only just started.",
		Refs: []string{
			"https://github.com/kubernetes-sigs/cluster-api/issues/8602",
			"https://pkg.go.dev/crypto/rsa#GenerateKey",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/rsa.GenerateKey",
						"crypto/rsa.GenerateMultiPrimeKey",
						"crypto/ecdsa.GenerateKey",
						"crypto/ed25519.GenerateKey",
						"crypto/dsa.GenerateKey",
						"crypto/dsa.GenerateParameters",
						"crypto/elliptic.GenerateKey",
						"crypto/rand.Prime",
						"crypto/mlkem.GenerateKey*",
						"github.com/cloudflare/circl/**.GenerateKey",
						"k8s.io/client-go/util/keyutil.MakeEllipticPrivateKeyPEM",
					},
					NotUnder: []string{
						"crypto/tls.**",
						"golang.org/x/crypto/ssh.**",
						"vendor/golang.org/x/crypto/**",
						"github.com/quic-go/**",
						"github.com/flynn/noise.**",
					},
				},
				{
					Internals: []string{
						"crypto/internal/fips140/rsa.GenerateKey",
						"crypto/internal/fips140/rsa.randomPrime",
						"crypto/internal/fips140/ecdsa.GenerateKey",
						"math/big.(*Int).ProbablyPrime",
						"math/big.nat.probablyPrimeMillerRabin",
					},
					NotUnder: []string{
						"crypto/tls.**",
						"golang.org/x/crypto/ssh.**",
						"vendor/golang.org/x/crypto/**",
						"github.com/quic-go/**",
						"github.com/flynn/noise.**",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.08,
				High:   0.25,
			},
			Order:  100,
			Family: "certificates",
		},
	},
	{
		ID:             "TR502",
		Name:           "certificate-minting",
		Category:       "hot-cpu",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on issuing certificates again and again",
		Title:          "{culprit} spends {share} of CPU{cores} issuing certificates",
		Why:            "x509.CreateCertificate signs and then verifies its own signature, which for an ECDSA key is 92 % of what key and certificate cost together. {function} calls it often enough to be seen in a profile: it does not keep what it issued.",
		Fix:            "Keep the certificate with its key (tls.Certificate) by the name that it was issued for, and issue it anew only shortly before NotAfter.",
		FalsePositives: "A certificate authority or an intercepting proxy with ever new names: there a cache by name and a cheaper key type help.",
		Refs: []string{
			"https://pkg.go.dev/crypto/x509#CreateCertificate",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/x509.CreateCertificate",
						"crypto/x509.CreateCertificateRequest",
						"crypto/x509.CreateRevocationList",
						"crypto/x509.(*Certificate).CreateCRL",
						"k8s.io/client-go/util/cert.GenerateSelfSignedCertKey*",
						"k8s.io/client-go/util/cert.NewSelfSignedCACert",
					},
				},
				{
					Internals: []string{
						"crypto/x509.signTBS",
						"crypto/x509.signingParamsForKey",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.08,
				High:   0.25,
			},
			Order:  101,
			Family: "certificates",
		},
	},
	{
		ID:             "TR503",
		Name:           "tls-handshakes",
		Category:       "hot-cpu",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on TLS handshakes, because connections are not kept",
		Title:          "{culprit} spends {share} of CPU{cores} in TLS handshakes",
		Why:            "A handshake costs as much as thousands of requests over a connection that is there. {own_share} of CPU in handshakes means that connections are made and dropped: a Transport or client of its own for each request, bodies that are not read to their end and closed, more idle connections than MaxIdleConnsPerHost (2) keeps, or clients of this server that do so.",
		Fix:            "Keep one http.Client and Transport for a host and share it; read bodies to the end and close them; raise MaxIdleConnsPerHost to the number of concurrent requests. On a server, allow keep-alive and session tickets.",
		FalsePositives: "A scanner or proxy that sees every host once; a server whose clients are many and each come once.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Transport",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/tls.(*Conn).HandshakeContext",
						"crypto/tls.(*Conn).handshakeContext",
						"crypto/tls.(*Conn).Handshake",
						"crypto/tls.(*Conn).clientHandshake",
						"crypto/tls.(*Conn).serverHandshake",
						"golang.org/x/crypto/ssh.NewClientConn",
						"golang.org/x/crypto/ssh.(*handshakeTransport).**",
						"github.com/refraction-networking/utls.(*UConn).HandshakeContext",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
				High:   0.4,
			},
			Order:  110,
			Family: "connections",
		},
	},
	{
		ID:             "TR504",
		Name:           "certificate-parsing",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on parsing the same certificates and keys again and again",
		Title:          "{culprit} spends {share} of CPU{cores} parsing certificates",
		Why:            "The system's pool has some 140 roots, and parsing a key checks it. Both change once in months, while {function} parses them for {own_share} of all CPU: for each request or each client that it makes.",
		Fix:            "Build the pool or the tls.Config once and share it; reload only when the file has changed.",
		FalsePositives: "A tool that reads certificates by profession.",
		Refs: []string{
			"https://pkg.go.dev/crypto/x509#CertPool",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/x509.(*CertPool).AppendCertsFromPEM",
						"crypto/x509.SystemCertPool",
						"crypto/x509.loadSystemRoots",
						"crypto/x509.ParseCertificate",
						"crypto/x509.ParseCertificates",
						"crypto/x509.ParsePKCS1PrivateKey",
						"crypto/x509.ParsePKCS8PrivateKey",
						"crypto/x509.ParseECPrivateKey",
						"crypto/tls.X509KeyPair",
						"crypto/tls.LoadX509KeyPair",
						"k8s.io/client-go/util/cert.ParseCertsPEM",
						"k8s.io/client-go/transport.TLSConfigFor",
					},
					NotUnder: []string{
						"crypto/tls.**",
						"golang.org/x/crypto/ssh.**",
						"vendor/golang.org/x/crypto/**",
						"github.com/quic-go/**",
						"github.com/flynn/noise.**",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.08,
			},
			Order: 120,
		},
	},
	{
		ID:             "TR505",
		Name:           "certificate-verification",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on verifying certificate chains outside handshakes",
		Title:          "{culprit} spends {share} of CPU{cores} verifying certificates",
		Why:            "Each verification checks one signature for each link of the chain. {function} verifies outside a handshake, and the same few certificates again as a rule.",
		Fix:            "Keep the result by the certificate's hash until its NotAfter, or verify when the certificate changes and not when it is used.",
		FalsePositives: "A gateway that must check ever new client certificates.",
		Refs: []string{
			"https://pkg.go.dev/crypto/x509#Certificate.Verify",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/x509.(*Certificate).Verify",
						"crypto/x509.(*Certificate).CheckSignatureFrom",
						"crypto/x509.(*Certificate).CheckSignature",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
			},
			Order:  121,
			Family: "connections",
		},
	},
	{
		ID:             "TR506",
		Name:           "signing",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on signing, with RSA as a rule",
		Title:          "{culprit} spends {share} of CPU{cores} signing",
		Why:            "One RSA-2048 signature takes about a millisecond of CPU, ECDSA P-256 about 20 µs. {function} makes enough of them for {own_share} of all CPU: one a request.",
		Fix:            "Sign a token once and hand it out until shortly before it expires; use ECDSA or Ed25519 keys, which sign thirty times faster than RSA.",
		FalsePositives: "A token issuer or a blockchain node, whose work this is: then the key type is what can be changed.",
		Refs: []string{
			"https://pkg.go.dev/crypto/rsa#SignPKCS1v15",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/rsa.SignPKCS1v15",
						"crypto/rsa.SignPSS",
						"crypto/rsa.(*PrivateKey).Sign",
						"crypto/rsa.(*PrivateKey).Decrypt",
						"crypto/rsa.DecryptOAEP",
						"crypto/rsa.DecryptPKCS1v15",
						"crypto/ecdsa.Sign",
						"crypto/ecdsa.SignASN1",
						"crypto/ecdsa.(*PrivateKey).Sign",
						"crypto/ed25519.Sign",
						"crypto/ed25519.(PrivateKey).Sign",
						"crypto/ed25519.PrivateKey.Sign",
						"**/secp256k1.Sign*",
						"**/secp256k1.*.Sign*",
						"**/bls.*Sign*",
					},
				},
			},
			Shares: Shares{
				Low:    0.08,
				Medium: 0.25,
			},
			Order: 130,
		},
	},
	{
		ID:             "TR507",
		Name:           "signature-verification",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on verifying signatures, of tokens as a rule",
		Title:          "{culprit} spends {share} of CPU{cores} verifying signatures",
		Why:            "{function} verifies signatures during {own_share} of all CPU: where these are tokens, the same one is verified with each request that carries it. ECDSA P-256 takes about 60 µs a signature, RSA-2048 about 25 µs.",
		Fix:            "Keep verified tokens by their hash until they expire, bounded; verify in batches where the scheme allows it.",
		FalsePositives: "A node that must check ever new signatures.",
		Refs: []string{
			"https://pkg.go.dev/crypto/ecdsa#VerifyASN1",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/rsa.VerifyPKCS1v15",
						"crypto/rsa.VerifyPSS",
						"crypto/ecdsa.Verify",
						"crypto/ecdsa.VerifyASN1",
						"crypto/ed25519.Verify*",
						"**/secp256k1.Verify*",
						"**/secp256k1.*ecover*",
						"**/secp256k1.*.Verify*",
						"**/bls.*Verify*",
					},
				},
			},
			Shares: Shares{
				Low:    0.08,
				Medium: 0.25,
			},
			Order: 131,
		},
	},
	{
		ID:             "TR508",
		Name:           "password-hashing",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on password hashes, one a request",
		Title:          "{culprit} spends {share} of CPU{cores} hashing passwords",
		Why:            "Password hashes are slow on purpose: bcrypt at cost 10 takes some 50 ms of CPU. {function} computes one where a session or token would do: with basic authentication, for every request.",
		Fix:            "Check the password once, at login, and go on with a session or token; or keep the result of a check for some minutes by a keyed hash of the credentials.",
		FalsePositives: "Real logins, many of them: then this is the price, or somebody tries passwords.",
		Refs: []string{
			"https://pkg.go.dev/golang.org/x/crypto/bcrypt",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"golang.org/x/crypto/bcrypt.*",
						"golang.org/x/crypto/scrypt.*",
						"golang.org/x/crypto/argon2.*",
						"golang.org/x/crypto/pbkdf2.*",
						"crypto/pbkdf2.*",
						"golang.org/x/crypto/blowfish.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.03,
				Medium: 0.15,
			},
			Order: 140,
		},
	},
	{
		ID:             "TR509",
		Name:           "crypto-rand-reads",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on reading small amounts of secure random bytes",
		Title:          "{culprit} spends {share} of CPU{cores} reading random bytes",
		Why:            "Each read of crypto/rand asks the kernel (since Linux 6.11 and Go 1.24 its vDSO): for 16 bytes that costs a hundred times what math/rand/v2 does. {function} reads little and often.",
		Fix:            "Where the numbers are no secret (ids of requests, jitter, sampling), use math/rand/v2, which is seeded securely. Where they are, read a few kilobytes at a time through a bufio.Reader that is kept.",
		FalsePositives: "Keys and tokens need these bytes; then read them in larger pieces.",
		Refs: []string{
			"https://pkg.go.dev/crypto/rand",
			"https://pkg.go.dev/math/rand/v2",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/rand.Read",
						"crypto/rand.Int",
						"crypto/rand.Text",
						"crypto/rand.(*reader).Read",
						"crypto/rand.(*devReader).Read",
						"crypto/internal/sysrand.Read",
						"github.com/google/uuid.NewRandom",
						"github.com/google/uuid.New",
						"github.com/gofrs/uuid.NewV4",
					},
					NotUnder: []string{
						"crypto/tls.**",
						"golang.org/x/crypto/ssh.**",
						"vendor/golang.org/x/crypto/**",
						"github.com/quic-go/**",
						"github.com/flynn/noise.**",
					},
				},
			},
			Shares: Shares{
				Low:    0.03,
				Medium: 0.1,
			},
			Order: 150,
		},
	},
	{
		ID:             "TR510",
		Name:           "hashing",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on hashing data",
		Title:          "{culprit} spends {share} of CPU{cores} hashing",
		Why:            "{function} hashes so much that it takes {own_share} of all CPU: whole objects or files on every pass as a rule, to see whether they changed.",
		Fix:            "Hash less: compare resourceVersion, generation, size and modification time first, and keep the hash beside the data. Where nobody attacks the hash, maphash or xxhash is ten times faster than SHA-256.",
		FalsePositives: "Content-addressed storage, registries and checksumming tools hash by profession.",
		Refs: []string{
			"https://pkg.go.dev/hash/maphash",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/sha1.*",
						"crypto/sha256.*",
						"crypto/sha512.*",
						"crypto/sha3.*",
						"crypto/md5.*",
						"crypto/hmac.*",
						"crypto/internal/fips140/sha256.*",
						"crypto/internal/fips140/sha512.*",
						"crypto/internal/fips140/sha3.*",
						"crypto/internal/fips140/hmac.*",
						"golang.org/x/crypto/sha3.*",
						"golang.org/x/crypto/blake2b.*",
						"github.com/minio/sha256-simd.*",
						"hash/crc32.*",
						"hash/fnv.*",
						"hash/adler32.*",
						"github.com/cespare/xxhash.*",
						"github.com/zeebo/xxh3.*",
						"**/keccak.*",
					},
					NotUnder: []string{
						"crypto/tls.**",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order: 160,
		},
	},
	{
		ID:             "TR511",
		Name:           "encryption",
		Category:       "hot-cpu",
		Severity:       "low",
		Confidence:     "low",
		Finds:          "CPU spent on encrypting and decrypting data",
		Title:          "{culprit} spends {share} of CPU{cores} encrypting",
		Why:            "{own_share} of all CPU goes into ciphers that {function} calls. With AES instructions a core encrypts over 2 GB a second; without them, or with small pieces and a new cipher for each, a twentieth of that.",
		Fix:            "Keep the cipher.AEAD for a key, encrypt in pieces of several kilobytes, compress first; on machines without AES instructions take ChaCha20-Poly1305.",
		FalsePositives: "Proxies and tunnels encrypt by profession.",
		Refs: []string{
			"https://pkg.go.dev/crypto/cipher",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/aes.*",
						"crypto/cipher.*",
						"crypto/internal/fips140/aes.*",
						"crypto/internal/fips140/aes/**",
						"golang.org/x/crypto/chacha20poly1305.*",
						"golang.org/x/crypto/chacha20.*",
						"golang.org/x/crypto/internal/poly1305.*",
						"golang.org/x/crypto/nacl/**",
						"golang.org/x/crypto/salsa20/**",
						"crypto/rc4.*",
						"crypto/des.*",
					},
					NotUnder: []string{
						"crypto/tls.**",
					},
				},
			},
			Shares: Shares{
				Low: 0.3,
			},
			Order: 170,
		},
	},
	{
		ID:             "TR512",
		Name:           "big-numbers",
		Category:       "hot-cpu",
		Severity:       "low",
		Confidence:     "low",
		Finds:          "CPU spent on arithmetic with big numbers",
		Title:          "{culprit} spends {share} of CPU{cores} on big numbers",
		Why:            "math/big allocates for most results, and its division and decimal conversion grow with the square of the length. {function} computes with it for {own_share} of all CPU.",
		Fix:            "Reuse the receiver (z.Add(x, y)) instead of new(big.Int); use uint64, a fixed-width type or scaled integers where the range allows.",
		FalsePositives: "Cryptography and exact arithmetic that need the range.",
		Refs: []string{
			"https://pkg.go.dev/math/big",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"math/big.*",
						"github.com/shopspring/decimal.*",
						"github.com/holiman/uint256.*",
						"github.com/cockroachdb/apd.*",
					},
				},
			},
			Shares: Shares{
				Low: 0.15,
			},
			Order: 171,
		},
	},
	{
		ID:             "TR525",
		Name:           "logging",
		Category:       "hot-cpu",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on logging",
		Title:          "{culprit} spends {share} of CPU{cores} logging",
		Why:            "90 in 100 real CPU profiles have under 1 % in their loggers. {function} logs for {own_share} of all CPU: a line for each item or step, objects printed whole, or options that make every line dear: the caller's file and line (a stack walk) or stack traces.",
		Fix:            "Log less at this place: once for a batch, or at a level that is off; check Enabled before arguments are made; sample; drop AddSource, AddCaller, Lshortfile and stack traces below error.",
		FalsePositives: "A program that is about logs: a shipper that logs what it ships.",
		Refs: []string{
			"https://pkg.go.dev/log/slog#hdr-Performance_considerations",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"log.*",
						"log/slog.*",
						"log/internal.*",
						"go.uber.org/zap/**",
						"github.com/rs/zerolog/**",
						"github.com/sirupsen/logrus/**",
						"k8s.io/klog/**",
						"github.com/golang/glog.*",
						"github.com/go-logr/**",
						"github.com/go-kit/log/**",
						"github.com/go-kit/kit/log/**",
						"github.com/hashicorp/go-hclog.*",
						"github.com/lmittmann/tint.*",
						"github.com/charmbracelet/log.*",
						"github.com/inconshreveable/log15/**",
						"github.com/apex/log/**",
						"github.com/phuslu/log.*",
						"github.com/ethereum/go-ethereum/log.*",
						"github.com/pingcap/log.*",
						"sigs.k8s.io/controller-runtime/pkg/log/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.04,
				Medium: 0.12,
				High:   0.5,
			},
			Order: 300,
			Explains: []string{
				"TR536",
			},
		},
	},
	{
		ID:             "TR526",
		Name:           "stack-capture",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on capturing stack traces",
		Title:          "{culprit} spends {share} of CPU{cores} capturing stacks",
		Why:            "A stack trace walks every frame and looks each up in the tables of the binary: microseconds, with runtime.Stack's text tens of them. {function} takes them on a path that runs often.",
		Fix:            "Make plain errors (errors.New at package level, fmt.Errorf with %w) where they are expected, and keep stacks for what nobody expected; pass the name instead of asking runtime.Caller for it.",
		FalsePositives: "A tracer or profiler of its own.",
		Refs: []string{
			"https://pkg.go.dev/runtime#Callers",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime/debug.Stack",
						"runtime/debug.PrintStack",
						"runtime.Stack",
						"runtime.Callers",
						"runtime.Caller",
						"runtime.CallersFrames",
						"runtime.(*Frames).Next",
						"github.com/pkg/errors.callers",
						"github.com/pkg/errors.New",
						"github.com/pkg/errors.Wrap*",
						"github.com/pkg/errors.WithStack",
						"github.com/go-errors/errors.*",
						"github.com/cockroachdb/errors/**",
						"github.com/ztrue/tracerr.*",
					},
					NotUnder: []string{
						"runtime/pprof.*",
						"net/http/pprof.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.08,
			},
			Order: 301,
		},
	},
	{
		ID:             "TR528",
		Name:           "deep-copy",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on deep copies of objects",
		Title:          "{culprit} spends {share} of CPU{cores} copying objects",
		Why:            "A deep copy allocates each map, slice and pointer anew: a Pod has hundreds. {function} copies for {own_share} of all CPU, whole lists as a rule, of which it changes little.",
		Fix:            "Read from the cache without copying (UnsafeDisableDeepCopy for lists that are only read), and copy the one object that will be changed, just before it is.",
		FalsePositives: "Objects that are all changed indeed.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client#UnsafeDisableDeepCopy",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"**.DeepCopy",
						"**.DeepCopyInto",
						"**.DeepCopyObject",
						"**.DeepCopyJSON",
						"**.DeepCopyJSONValue",
						"**.(*Unstructured).DeepCopy",
						"github.com/jinzhu/copier.*",
						"github.com/mitchellh/copystructure.*",
						"github.com/mohae/deepcopy.*",
						"github.com/barkimedes/go-deepcopy.*",
						"google.golang.org/protobuf/proto.Clone",
						"google.golang.org/protobuf/proto.Merge",
						"github.com/golang/protobuf/proto.Clone",
						"github.com/gogo/protobuf/proto.Clone",
						"maps.Clone",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
			},
			Order: 310,
		},
	},
	{
		ID:             "TR529",
		Name:           "deep-equal",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on comparing objects by reflection",
		Title:          "{culprit} spends {share} of CPU{cores} comparing objects",
		Why:            "reflect.DeepEqual and equality.Semantic walk both objects by reflection, 10 to 100 times slower than comparing fields. {function} does so for {own_share} of all CPU: every object on every pass as a rule.",
		Fix:            "Compare what tells first: resourceVersion, generation, a hash kept beside the object; compare the few fields that matter by hand; let event filters (GenerationChangedPredicate) drop what did not change.",
		FalsePositives: "A tool that compares by profession.",
		Refs: []string{
			"https://pkg.go.dev/reflect#DeepEqual",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"reflect.DeepEqual",
						"k8s.io/apimachinery/third_party/forked/golang/reflect.(Equalities).*",
						"k8s.io/apimachinery/third_party/forked/golang/reflect.Equalities.*",
						"github.com/google/go-cmp/cmp.Equal",
						"github.com/google/go-cmp/cmp.Diff",
						"google.golang.org/protobuf/proto.Equal",
						"github.com/golang/protobuf/proto.Equal",
						"github.com/stretchr/testify/assert.ObjectsAreEqual",
						"github.com/r3labs/diff.*",
						"k8s.io/apimachinery/pkg/util/diff.*",
						"k8s.io/apimachinery/pkg/util/strategicpatch.*",
						"sigs.k8s.io/structured-merge-diff/**",
						"github.com/evanphx/json-patch.*",
						"github.com/wI2L/jsondiff.*",
					},
				},
				{
					Internals: []string{
						"reflect.deepValueEqual",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
			},
			Order: 311,
		},
	},
	{
		ID:             "TR530",
		Name:           "yaml",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on YAML",
		Title:          "{culprit} spends {share} of CPU{cores} on YAML",
		Why:            "YAML costs ten times what JSON does. {function} reads or writes it for {own_share} of all CPU, the same manifests or configuration as a rule.",
		Fix:            "Parse once and keep the result; keep a hash of the text to see whether it changed; between programs use JSON.",
		FalsePositives: "A tool that renders manifests by profession.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/yaml",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"gopkg.in/yaml.v2.*",
						"gopkg.in/yaml.v3.*",
						"gopkg.in/yaml.*",
						"go.yaml.in/yaml/**",
						"sigs.k8s.io/yaml/**",
						"github.com/ghodss/yaml.*",
						"github.com/goccy/go-yaml/**",
						"k8s.io/apimachinery/pkg/util/yaml.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.03,
				Medium: 0.1,
			},
			Order: 320,
		},
	},
	{
		ID:             "TR531",
		Name:           "gob-encoding",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on gob",
		Title:          "{culprit} spends {share} of CPU{cores} on gob",
		Why:            "Every new gob encoder sends the types again and every decoder compiles them: for one value that is most of the cost. {function} spends {own_share} of all CPU so; often gob serves as a deep copy there.",
		Fix:            "Keep one encoder and decoder for a connection or file. To copy values, write a method that copies, or use maps.Clone and slices.Clone.",
		FalsePositives: "A long stream that goes through one encoder.",
		Refs: []string{
			"https://pkg.go.dev/encoding/gob",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"encoding/gob.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.04,
				Medium: 0.12,
			},
			Order:  321,
			Family: "gob",
		},
	},
	{
		ID:             "TR533",
		Name:           "json",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on JSON",
		Title:          "{culprit} spends {share} of CPU{cores} on JSON",
		Why:            "90 in 100 real CPU profiles have under 4 % in JSON. {function} encodes or decodes for {own_share} of all CPU.",
		Fix:            "Decode into structs that hold only the fields that are used, keep the rest as json.RawMessage, and decode streams with a Decoder; encode once and keep the bytes for equal answers; for Kubernetes clients set ContentType to application/vnd.kubernetes.protobuf for built-in types.",
		FalsePositives: "An API server or converter whose work this is: then a faster encoder is what remains.",
		Refs: []string{
			"https://pkg.go.dev/encoding/json",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"encoding/json.*",
						"encoding/json/**",
						"github.com/go-json-experiment/json/**",
						"sigs.k8s.io/json/**",
						"github.com/json-iterator/go.*",
						"github.com/goccy/go-json/**",
						"github.com/segmentio/encoding/json.*",
						"github.com/bytedance/sonic/**",
						"github.com/mailru/easyjson/**",
						"github.com/tidwall/gjson.*",
						"github.com/tidwall/sjson.*",
						"github.com/buger/jsonparser.*",
						"github.com/valyala/fastjson.*",
						"k8s.io/apimachinery/pkg/runtime/serializer/json.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order: 323,
		},
	},
	{
		ID:             "TR534",
		Name:           "protobuf",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on protobuf",
		Title:          "{culprit} spends {share} of CPU{cores} on protobuf",
		Why:            "90 in 100 real CPU profiles have under 3 % in protobuf. {function} encodes or decodes for {own_share} of all CPU.",
		Fix:            "Send less and in larger messages; keep encoded bytes for what is sent again; reuse messages (proto.Reset) and generate code without reflection (vtprotobuf) for the hot types.",
		FalsePositives: "A proxy or storage whose work this is.",
		Refs: []string{
			"https://protobuf.dev/reference/go/faq/",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"google.golang.org/protobuf/**",
						"github.com/golang/protobuf/**",
						"github.com/gogo/protobuf/**",
						"github.com/planetscale/vtprotobuf/**",
						"k8s.io/apimachinery/pkg/runtime/serializer/protobuf.*",
						"storj.io/drpc/drpcenc.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.12,
				Medium: 0.3,
			},
			Order: 324,
		},
	},
	{
		ID:             "TR535",
		Name:           "other-encodings",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on XML, CSV, MessagePack, BSON, base64 and the like",
		Title:          "{culprit} spends {share} of CPU{cores} encoding",
		Why:            "{function} encodes or decodes for {own_share} of all CPU. encoding/xml and encoding/binary.Read work by reflection, ten times slower than code that knows the type.",
		Fix:            "Parse once and keep the result; use binary.BigEndian's methods or generated code in place of reflection; read only what is used.",
		FalsePositives: "A converter whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/encoding/binary",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"encoding/xml.*",
						"encoding/csv.*",
						"encoding/asn1.*",
						"encoding/binary.Read",
						"encoding/binary.Write",
						"encoding/hex.*",
						"encoding/base64.*",
						"encoding/base32.*",
						"github.com/vmihailenco/msgpack/**",
						"github.com/tinylib/msgp/**",
						"github.com/fxamacker/cbor.*",
						"go.mongodb.org/mongo-driver/bson/**",
						"github.com/ugorji/go/codec.*",
						"github.com/BurntSushi/toml.*",
						"github.com/pelletier/go-toml/**",
						"github.com/hashicorp/hcl/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order: 325,
		},
	},
	{
		ID:             "TR537",
		Name:           "formatting",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on formatting with fmt",
		Title:          "{culprit} spends {share} of CPU{cores} formatting text",
		Why:            "fmt looks at each argument by reflection and puts it on the heap; %v and %#v of a struct walk all of it. Half of the real CPU profiles have 0.1 % there, {function} {own_share}.",
		Fix:            "Build keys and short texts with string concatenation, strconv.Append… or a strings.Builder; use a struct as map key in place of a formatted one; don't print whole objects; make the text only where somebody reads it.",
		FalsePositives: "A program that writes text by profession.",
		Refs: []string{
			"https://pkg.go.dev/strconv#AppendInt",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"fmt.Sprintf",
						"fmt.Sprint",
						"fmt.Sprintln",
						"fmt.Fprintf",
						"fmt.Fprint",
						"fmt.Fprintln",
						"fmt.Errorf",
						"fmt.Printf",
						"fmt.Println",
						"fmt.Print",
						"fmt.Appendf",
						"fmt.Append",
						"fmt.Sscanf",
						"fmt.Sscan",
						"fmt.Fscanf",
						"fmt.Fscan",
						"fmt.Sscanln",
						"fmt.Fscanln",
						"github.com/davecgh/go-spew/**",
						"github.com/kr/pretty.*",
						"k8s.io/utils/dump.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.08,
				Medium: 0.2,
			},
			Order: 400,
		},
	},
	{
		ID:             "TR538",
		Name:           "reflection",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "CPU spent on reflection",
		Title:          "{culprit} spends {share} of CPU{cores} on reflection",
		Why:            "95 in 100 real CPU profiles have under 4 % in reflection of their own. {function} has {own_share}: fields looked up by name, values boxed and unboxed, methods called by name.",
		Fix:            "Look fields up once for a type and keep their index; generate code, or use type parameters or an interface, for the hot types.",
		FalsePositives: "A general mapper whose work this is.",
		Refs: []string{
			"https://go.dev/blog/laws-of-reflection",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"reflect.*",
						"internal/reflectlite.*",
						"github.com/modern-go/reflect2.*",
						"github.com/mitchellh/mapstructure.*",
						"github.com/go-viper/mapstructure.*",
						"github.com/go-playground/validator.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.08,
				Medium: 0.2,
			},
			Order: 415,
		},
	},
	{
		ID:             "TR539",
		Name:           "sorting",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on sorting",
		Title:          "{culprit} spends {share} of CPU{cores} sorting",
		Why:            "95 in 100 real CPU profiles have under 3 % there. {function} sorts for {own_share} of all CPU: the same data after each small change as a rule, or with sort.Slice, whose swaps go through reflection.",
		Fix:            "Keep the data sorted (slices.BinarySearch and Insert, a tree or heap), sort once at the end, take the smallest few without sorting all; use slices.SortFunc, which is two to three times as fast as sort.Slice.",
		FalsePositives: "A program that sorts by profession.",
		Refs: []string{
			"https://pkg.go.dev/slices#SortFunc",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sort.Slice",
						"sort.SliceStable",
						"sort.Sort",
						"sort.Stable",
						"sort.Strings",
						"sort.Ints",
						"slices.Sort",
						"slices.SortFunc",
						"slices.SortStableFunc",
						"container/heap.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.2,
				Medium: 0.35,
			},
			Order: 399,
		},
	},
	{
		ID:             "TR540",
		Name:           "regexp-matching",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on matching regular expressions",
		Title:          "{culprit} spends {share} of CPU{cores} matching regular expressions",
		Why:            "Go's regexp runs in linear time and is slow at it: some 30 ns a byte where it must backtrack or follow several ways at once. {function} matches for {own_share} of all CPU.",
		Fix:            "Ask strings.Contains, HasPrefix or an index by the literal part first; anchor expressions and drop captures that nobody reads; join many alternatives into one map look-up; keep results for inputs that come again.",
		FalsePositives: "A scanner or log parser whose work this is.",
		Refs: []string{
			"https://swtch.com/~rsc/regexp/regexp3.html",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"regexp.(*Regexp).**",
						"github.com/dlclark/regexp2.(*Regexp).**",
						"github.com/grafana/regexp.*",
						"github.com/wasilibs/go-re2/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order: 403,
		},
	},
	{
		ID:             "TR541",
		Name:           "compression",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on compressing and decompressing",
		Title:          "{culprit} spends {share} of CPU{cores} compressing or decompressing",
		Why:            "Go's gzip writes some 30 to 100 MB a second and core at the default level. 90 in 100 real CPU profiles have under 3 % there, {function} {own_share}.",
		Fix:            "Compress once and keep the result; take level 1 or zstd for what is sent only once; don't compress what is small or compressed already; on a fast network don't compress.",
		FalsePositives: "Registries, backup and image tools compress by profession.",
		Refs: []string{
			"https://pkg.go.dev/github.com/klauspost/compress",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"compress/flate.*",
						"compress/gzip.*",
						"compress/zlib.*",
						"compress/lzw.*",
						"compress/bzip2.*",
						"github.com/klauspost/compress/**",
						"github.com/klauspost/pgzip.*",
						"github.com/golang/snappy.*",
						"github.com/pierrec/lz4/**",
						"github.com/andybalholm/brotli.*",
						"github.com/ulikunitz/xz/**",
						"github.com/DataDog/zstd.*",
						"github.com/valyala/gozstd.*",
						"github.com/dsnet/compress/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order:  404,
			Family: "compression",
		},
	},
	{
		ID:             "TR542",
		Name:           "template-execution",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "CPU spent on executing templates",
		Title:          "{culprit} spends {share} of CPU{cores} executing templates",
		Why:            "Templates are interpreted by reflection, and html/template escapes each value for its place. {function} executes them for {own_share} of all CPU.",
		Fix:            "Keep rendered text for equal data; take what does not change out of loops; write the hottest text with code.",
		FalsePositives: "A renderer whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/html/template",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"text/template.(*Template).Execute*",
						"html/template.(*Template).Execute*",
						"github.com/valyala/fasttemplate.*",
						"github.com/aymerich/raymond.*",
						"github.com/Masterminds/sprig.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order: 405,
		},
	},
	{
		ID:             "TR543",
		Name:           "time-formatting",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on formatting and parsing times",
		Title:          "{culprit} spends {share} of CPU{cores} formatting or parsing times",
		Why:            "A time formatted or parsed takes 100 to 300 ns. {function} does it for {own_share} of all CPU: to compare or to key by the text as a rule.",
		Fix:            "Keep times as time.Time or as Unix numbers and compare those; format the second once and append the rest.",
		FalsePositives: "A parser of logs whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/time#Time.Compare",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"time.Time.Format",
						"time.Time.AppendFormat",
						"time.Time.String",
						"time.Time.MarshalJSON",
						"time.Parse",
						"time.ParseInLocation",
						"time.ParseDuration",
						"time.Duration.String",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
			},
			Order: 406,
		},
	},
	{
		ID:             "TR544",
		Name:           "metric-label-lookups",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on looking metrics up by their labels",
		Title:          "{culprit} spends {share} of CPU{cores} looking up metrics",
		Why:            "WithLabelValues hashes all labels and takes a lock; With makes a map besides. {function} does it for each event, {own_share} of all CPU, for labels that hardly change.",
		Fix:            "Look the child metric up once (c := vec.WithLabelValues(\"read\")) and keep it; for labels from requests, bound their number.",
		FalsePositives: "Labels that differ with every event: then there are too many.",
		Refs: []string{
			"https://pkg.go.dev/github.com/prometheus/client_golang/prometheus#CounterVec.WithLabelValues",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"github.com/prometheus/client_golang/prometheus.(*MetricVec).**",
						"github.com/prometheus/client_golang/prometheus.(*CounterVec).**",
						"github.com/prometheus/client_golang/prometheus.(*GaugeVec).**",
						"github.com/prometheus/client_golang/prometheus.(*HistogramVec).**",
						"github.com/prometheus/client_golang/prometheus.(*SummaryVec).**",
						"github.com/prometheus/client_golang/prometheus.(*metricMap).**",
						"github.com/prometheus/client_golang/prometheus.New*Vec",
						"github.com/armon/go-metrics.*",
						"go.opentelemetry.io/otel/attribute.NewSet*",
						"k8s.io/component-base/metrics.(*CounterVec).*",
						"k8s.io/component-base/metrics.(*HistogramVec).*",
						"k8s.io/component-base/metrics.(*GaugeVec).*",
					},
				},
			},
			Shares: Shares{
				Low:    0.03,
				Medium: 0.1,
			},
			Order: 330,
		},
	},
	{
		ID:             "TR545",
		Name:           "context-values",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent in chains of contexts",
		Title:          "{culprit} spends {share} of CPU{cores} in chains of contexts",
		Why:            "ctx.Value walks from context to context until it finds the key, and cancellation registers with a parent under its lock. {function} does so for {own_share} of all CPU: a deep chain, asked for each item.",
		Fix:            "Take values out of the context once and pass them on; put one struct in place of many values; make a context for a batch, not for each item.",
		FalsePositives: "None known above a tenth of all CPU.",
		Refs: []string{
			"https://pkg.go.dev/context#WithValue",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"context.value",
						"context.(*valueCtx).Value",
						"context.(*cancelCtx).Value",
						"context.(*timerCtx).Value",
						"context.(*timerCtx).**",
						"context.WithValue",
						"context.WithCancel*",
						"context.WithTimeout*",
						"context.WithDeadline*",
						"context.withCancel",
						"context.propagateCancel",
						"context.withoutCancelCtx.Value",
						"context.(*cancelCtx).propagateCancel",
						"context.(*cancelCtx).cancel",
						"context.parentCancelCtx",
						"context.removeChild",
					},
				},
			},
			Shares: Shares{
				Low:    0.03,
				Medium: 0.1,
			},
			Order: 410,
		},
	},
	{
		ID:             "TR546",
		Name:           "type-assertions",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on assertions of interface types",
		Title:          "{culprit} spends {share} of CPU{cores} asserting interface types",
		Why:            "Asking whether a value has an interface's methods looks it up in a table of the runtime, and computes it where it has not. {function} asks for {own_share} of all CPU.",
		Fix:            "Ask once for a value and keep the answer; switch on concrete types, which compare a pointer; use type parameters.",
		FalsePositives: "None known at this share.",
		Refs: []string{
			"https://go.dev/ref/spec#Type_assertions",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.assertE2I",
						"runtime.assertE2I2",
						"runtime.typeAssert",
						"runtime.interfaceSwitch",
						"runtime.getitab",
						"runtime.assertI2I",
						"runtime.assertI2I2",
						"runtime.(*itabTableType).find",
						"runtime.efaceeq",
						"runtime.ifaceeq",
						"runtime.convI2I",
					},
				},
			},
			Shares: Shares{
				Low:    0.04,
				Medium: 0.12,
			},
			Order: 411,
		},
	},
	{
		ID:             "TR547",
		Name:           "sql-scanning",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "CPU spent on turning rows into values",
		Title:          "{culprit} spends {share} of CPU{cores} reading rows",
		Why:            "database/sql converts each column by reflection, mappers add their own. {function} reads rows for {own_share} of all CPU: more than it needs as a rule.",
		Fix:            "Ask for the columns and rows that are used, count and sum in the database, page through large results, keep what hardly changes.",
		FalsePositives: "An exporter whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/database/sql#Rows.Scan",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"database/sql.(*Rows).Scan",
						"database/sql.convertAssign*",
						"github.com/jmoiron/sqlx.*",
						"gorm.io/gorm.**",
						"xorm.io/xorm.**",
						"github.com/georgysavva/scany/**",
						"entgo.io/ent/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.12,
				Medium: 0.3,
			},
			Order: 412,
		},
	},
	{
		ID:             "TR548",
		Name:           "header-handling",
		Category:       "hot-cpu",
		Severity:       "low",
		Confidence:     "low",
		Finds:          "CPU spent on headers and URLs",
		Title:          "{culprit} spends {share} of CPU{cores} on headers and URLs",
		Why:            "Headers are brought into canonical form with each Get and Set, and URL.Query parses the query anew with each call. {function} does so for {own_share} of all CPU.",
		Fix:            "Write header names in canonical form, parse a URL's query once, clone headers once.",
		FalsePositives: "Proxies that rewrite headers by profession.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Header",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"net/textproto.CanonicalMIMEHeaderKey",
						"net/textproto.canonicalMIMEHeaderKey",
						"net/http.Header.*",
						"net/textproto.MIMEHeader.*",
						"net/url.Parse",
						"net/url.ParseQuery",
						"net/url.(*URL).*",
						"net/url.Values.*",
						"mime.*",
						"mime/multipart.*",
						"net/http.DetectContentType",
					},
				},
			},
			Shares: Shares{
				Low: 0.08,
			},
			Order: 413,
		},
	},
	{
		ID:             "TR550",
		Name:           "string-concatenation",
		Category:       "hot-cpu",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on joining strings piece by piece",
		Title:          "{culprit} spends {share} of CPU{cores} concatenating strings",
		Why:            "s += t copies all of s each time: n pieces cost n² bytes, in copying, in allocation and in collection. {function} does it for {own_share} of all CPU.",
		Fix:            "Use a strings.Builder (Grow it where the length is known) or strings.Join.",
		FalsePositives: "Many short strings that are each joined once: then it is their number.",
		Refs: []string{
			"https://pkg.go.dev/strings#Builder",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.concatstrings",
						"runtime.concatstring2",
						"runtime.concatstring3",
						"runtime.concatstring4",
						"runtime.concatstring5",
						"runtime.concatbyte2",
						"runtime.concatbytes",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.12,
				High:   0.4,
			},
			Order: 500,
		},
	},
	{
		ID:             "TR551",
		Name:           "string-conversion",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on converting between strings and byte slices",
		Title:          "{culprit} spends {share} of CPU{cores} converting strings and bytes",
		Why:            "Each conversion between string and []byte copies the data to a new place. {function} converts for {own_share} of all CPU.",
		Fix:            "Stay with one of them: package bytes has what strings has; append writes strings into byte slices; io.WriteString, Builder.Write and map[string(b)] don't copy.",
		FalsePositives: "Data that must be kept beyond its buffer.",
		Refs: []string{
			"https://pkg.go.dev/bytes",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.slicebytetostring",
						"runtime.stringtoslicebyte",
						"runtime.slicerunetostring",
						"runtime.stringtoslicerune",
						"runtime.intstring",
						"runtime.rawstring",
						"runtime.rawbyteslice",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
			},
			Order: 501,
		},
	},
	{
		ID:             "TR552",
		Name:           "map-growth",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on growing maps step by step",
		Title:          "{culprit} spends {share} of CPU{cores} growing maps",
		Why:            "A map that is filled from empty doubles again and again, and each time its entries are hashed and moved. {function} fills maps so for {own_share} of all CPU.",
		Fix:            "Make the map with its size (make(map[K]V, n)), or keep and clear() it for the next round.",
		FalsePositives: "Maps whose size nobody can know.",
		Refs: []string{
			"https://go.dev/blog/swisstable",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"internal/runtime/maps.(*table).grow",
						"internal/runtime/maps.(*table).split",
						"internal/runtime/maps.(*table).rehash",
						"internal/runtime/maps.(*Map).growToTable",
						"internal/runtime/maps.(*Map).growToSmall",
						"runtime.hashGrow",
						"runtime.growWork*",
						"runtime.evacuate*",
						"runtime.makeBucketArray",
					},
				},
			},
			Shares: Shares{
				Low:    0.03,
				Medium: 0.07,
			},
			Order: 502,
			Explains: []string{
				"TR553",
			},
		},
	},
	{
		ID:             "TR553",
		Name:           "map-access",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "CPU spent on looking things up in maps",
		Title:          "{culprit} spends {share} of CPU{cores} in maps",
		Why:            "90 in 100 real CPU profiles have under 11 % in maps. {function} reads, fills or walks them for {own_share} of all CPU.",
		Fix:            "Use smaller keys (an integer or a small struct in place of text or interfaces), a slice where keys are dense, one look-up in place of two, and keep what is walked often in a slice beside the map.",
		FalsePositives: "An index whose work this is.",
		Refs: []string{
			"https://go.dev/blog/swisstable",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.mapaccess*",
						"runtime.mapassign*",
						"runtime.mapdelete*",
						"runtime.mapiter*",
						"runtime.mapIter*",
						"runtime.mapclear",
						"runtime.mapclone*",
						"internal/runtime/maps.**",
						"runtime.aeshashbody",
						"runtime.memhash*",
						"runtime.strhash*",
						"runtime.nilinterhash",
						"runtime.interhash",
						"runtime.typehash",
						"aeshashbody",
					},
				},
			},
			Shares: Shares{
				Low:    0.25,
				Medium: 0.4,
			},
			Order: 503,
		},
	},
	{
		ID:             "TR554",
		Name:           "slice-growth",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on growing slices step by step",
		Title:          "{culprit} spends {share} of CPU{cores} growing slices",
		Why:            "append copies a slice to a place of up to twice the size each time that it is full. 95 in 100 real CPU profiles have under 4 % there, {function} {own_share}.",
		Fix:            "Make the slice with its capacity (make([]T, 0, n)), Grow the buffer, or keep it for the next round (s = s[:0]).",
		FalsePositives: "Slices whose length nobody can know.",
		Refs: []string{
			"https://go.dev/blog/slices-intro",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.growslice",
						"bytes.(*Buffer).grow",
						"bytes.growSlice",
						"strings.(*Builder).grow",
						"slices.Grow",
						"runtime.growsliceNoAlias",
						"io.ReadAll",
					},
				},
			},
			Shares: Shares{
				Low:    0.07,
				Medium: 0.15,
			},
			Order: 504,
		},
	},
	{
		ID:             "TR556",
		Name:           "memory-copying",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on copying memory",
		Title:          "{culprit} spends {share} of CPU{cores} copying memory",
		Why:            "95 in 100 real CPU profiles have under 5 % in memmove. {function} copies for {own_share} of all CPU: whole buffers, large structs by value, or the rest of a slice with each insertion.",
		Fix:            "Pass a slice or pointer on in place of a copy; take large structs by pointer; replace rather than shift; copy on change only.",
		FalsePositives: "Copies that other goroutines need.",
		Refs: []string{
			"https://go.dev/wiki/SliceTricks",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.memmove",
						"runtime.typedmemmove",
						"runtime.typedslicecopy",
						"runtime.duffcopy",
						"runtime.bulkBarrierPreWrite*",
						"runtime.wbMove",
						"slices.Clone*",
						"bytes.Clone",
						"strings.Clone",
						"slices.Insert*",
						"slices.Delete*",
					},
				},
			},
			Shares: Shares{
				Low:    0.06,
				Medium: 0.15,
			},
			Order: 510,
		},
	},
	{
		ID:             "TR557",
		Name:           "buffer-clearing",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on making and clearing large buffers",
		Title:          "{culprit} spends {share} of CPU{cores} clearing new buffers",
		Why:            "Every new slice is cleared, and those above 32 kB come from the heap's own lock, not from a goroutine's cache. {function} makes large ones for {own_share} of all CPU, used once each.",
		Fix:            "Keep buffers: one for a goroutine, or a sync.Pool of *[]byte; make them as large as the data and not larger.",
		FalsePositives: "Buffers that are kept and filled.",
		Refs: []string{
			"https://pkg.go.dev/sync#Pool",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.makeslice",
						"runtime.makeslice64",
						"bytes.makeSlice",
						"runtime.memclrNoHeapPointers*",
						"runtime.memclrHasPointers",
						"runtime.duffzero",
					},
					Has: []string{
						"runtime.memclrNoHeapPointers*",
						"runtime.(*mheap).alloc",
						"runtime.mallocgcLarge",
						"runtime.(*mcache).allocLarge",
						"runtime.largeAlloc",
					},
				},
			},
			Shares: Shares{
				Low:    0.06,
				Medium: 0.12,
			},
			Order: 511,
		},
	},
	{
		ID:             "TR558",
		Name:           "comparing-in-loops",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on comparing strings one after the other",
		Title:          "{culprit} spends {share} of CPU{cores} comparing strings",
		Why:            "{own_share} of all CPU compares strings or searches in them for {function}: a list that is gone through for each item, so that twice the items cost four times.",
		Fix:            "Put what is looked up into a map or a set, or sort it and use slices.BinarySearch; intern strings that are compared often.",
		FalsePositives: "A search program.",
		Refs: []string{
			"https://pkg.go.dev/slices#BinarySearch",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"memeqbody",
						"runtime.memequal*",
						"runtime.strequal",
						"cmpbody",
						"runtime.cmpstring",
						"internal/bytealg.*",
						"indexbytebody",
						"countbody",
						"strings.Index*",
						"strings.Contains*",
						"strings.Compare",
						"strings.EqualFold",
						"strings.HasPrefix",
						"strings.HasSuffix",
						"bytes.Equal",
						"bytes.Compare",
						"bytes.Index*",
						"bytes.Contains*",
						"slices.Index*",
						"slices.Contains*",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order: 512,
		},
	},
	{
		ID:             "TR559",
		Name:           "text-handling",
		Category:       "hot-cpu",
		Severity:       "low",
		Confidence:     "low",
		Finds:          "CPU spent on splitting, joining and converting text",
		Title:          "{culprit} spends {share} of CPU{cores} handling text",
		Why:            "95 in 100 real CPU profiles have under 14 % in strings and bytes together. {function} splits, joins or converts text for {own_share} of all CPU.",
		Fix:            "Use strings.Cut or SplitSeq in place of Split where only a part is needed, keep the parsed form, make a Replacer once.",
		FalsePositives: "A parser whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/strings#Cut",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"strings.Split*",
						"strings.Fields*",
						"strings.Join",
						"strings.Replace*",
						"strings.(*Replacer).*",
						"strings.(*genericReplacer).*",
						"strings.ToLower",
						"strings.ToUpper",
						"strings.Map",
						"strings.Title",
						"strings.Repeat",
						"strings.Trim*",
						"bytes.Split*",
						"bytes.Fields*",
						"bytes.Replace*",
						"bytes.ToLower",
						"bytes.Trim*",
						"unicode.*",
						"unicode/utf8.*",
						"strconv.*",
						"text/scanner.*",
						"text/tabwriter.*",
						"golang.org/x/text/**",
						"html.EscapeString",
						"html.UnescapeString",
						"bufio.(*Scanner).*",
					},
				},
			},
			Shares: Shares{
				Low: 0.15,
			},
			Order: 420,
		},
	},
	{
		ID:             "TR555",
		Name:           "garbage-collection",
		Category:       "gc",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "CPU spent on allocating and collecting memory",
		Title:          "{culprit} spends {share} of CPU{cores} on allocation and garbage collection",
		Why:            "Half of the real CPU profiles have under 17 % in allocation and collection, 90 in 100 under 38 %. Here it is {share}. Most of what is allocated outside what other rules name is allocated in {function}.",
		Fix:            "Allocate less where most is allocated: reuse buffers, preallocate, avoid interfaces and closures in hot loops, return values in place of pointers. Then let the heap grow: GOMEMLIMIT at nine tenths of the container's limit with a larger GOGC.",
		FalsePositives: "A process under a load of short-lived objects that it can afford.",
		Next: []string{
			"top",
		},
		Refs: []string{
			"https://go.dev/doc/gc-guide",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.gcBgMarkWorker",
						"runtime.bgsweep",
						"runtime.gcAssistAlloc*",
						"runtime.gcDrain*",
						"runtime.gcMark*",
						"runtime.gcStart",
						"runtime.gcSweep",
						"runtime.(*sweepLocked).sweep",
						"runtime.wbBufFlush*",
						"runtime.gcWriteBarrier*",
						"runtime.gcStopTheWorld*",
					},
				},
				{
					At: []string{
						"runtime.mallocgc",
						"runtime.newobject",
						"runtime.makeslice",
						"runtime.mallocgc*",
						"runtime.convT*",
						"runtime.newarray",
						"runtime.(*mcache).*",
						"runtime.(*mcentral).*",
						"runtime.(*mheap).*",
						"runtime.nextFreeFast",
						"runtime.heapSetType*",
						"runtime.newUserArenaChunk",
					},
				},
			},
			Shares: Shares{
				Low:    0.25,
				Medium: 0.4,
			},
			Order: 600,
		},
	},
	{
		ID:             "TR560",
		Name:           "gc-assist",
		Category:       "gc",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Goroutines that must help the collector because it can't keep up",
		Title:          "{culprit} spends {share} of CPU{cores} helping the collector",
		Why:            "A goroutine that allocates faster than the collector marks must mark itself before it goes on. 41 real CPU profiles have 2.6 % there at most; {own_share} means that the heap stands at its limit (GOMEMLIMIT) or grows in bursts.",
		Fix:            "Raise GOMEMLIMIT and the container's limit, or shrink what is kept and what is allocated; with a small live heap raise GOGC.",
		FalsePositives: "A short burst of allocation: a start, a large import.",
		Refs: []string{
			"https://go.dev/doc/gc-guide#Memory_limit",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.gcAssistAlloc",
						"runtime.gcAssistAlloc1",
						"runtime.gcParkAssist",
						"runtime.deductAssistCredit",
					},
				},
			},
			Shares: Shares{
				Low:    0.04,
				Medium: 0.1,
			},
			Order: 590,
			Explains: []string{
				"TR555",
			},
		},
	},
	{
		ID:             "TR561",
		Name:           "forced-gc",
		Category:       "gc",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "A program that runs the garbage collector itself, again and again",
		Title:          "{culprit} forces garbage collections: {share} of CPU{cores}",
		Why:            "runtime.GC and debug.FreeOSMemory collect all of the heap at once and make the caller wait. The work runs on the collector's own stacks, so that few samples show who asked; those that do name {function}.",
		Fix:            "Remove the call. The collector runs when the heap has grown; to keep memory low set GOMEMLIMIT.",
		FalsePositives: "A benchmark or test; a collection once, behind a large import.",
		Refs: []string{
			"https://pkg.go.dev/runtime#GC",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.GC",
						"runtime/debug.FreeOSMemory",
						"runtime/debug.freeOSMemory",
					},
					NotUnder: []string{
						"net/http/pprof.*",
						"runtime/pprof.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.002,
				Medium: 0.03,
				High:   0.4,
			},
			Order: 110,
			Explains: []string{
				"TR555",
				"TR560",
				"TR562",
				"TR572",
				"TR580",
			},
		},
	},
	{
		ID:             "TR562",
		Name:           "returning-memory",
		Category:       "gc",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on giving memory back to the system and taking it again",
		Title:          "{culprit} spends {share} of CPU{cores} returning memory to the system",
		Why:            "{own_share} of all CPU returns freed pages to the kernel, which hands them out again, cleared, a moment later: the heap swings, or stands at GOMEMLIMIT.",
		Fix:            "Even the swings out: smaller batches, reused buffers; raise GOMEMLIMIT or set GOGC higher so that the heap keeps its size.",
		FalsePositives: "A process that has just become idle.",
		Refs: []string{
			"https://go.dev/doc/gc-guide",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.madvise",
						"runtime.sysUnused*",
						"runtime.bgscavenge*",
						"runtime.(*pageAlloc).scavenge*",
						"runtime.(*scavengerState).*",
						"runtime.sysFault",
						"runtime.sysHugePage*",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
			},
			Order: 595,
		},
	},
	{
		ID:             "TR564",
		Name:           "stack-growth",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on growing goroutines' stacks",
		Title:          "{culprit} spends {share} of CPU{cores} growing stacks",
		Why:            "A goroutine begins with a small stack, which is copied to one of twice the size each time it is full. {function} makes goroutines or recursions that need large ones, over and over: 95 in 100 real CPU profiles have under 5 % there.",
		Fix:            "Keep goroutines that work deeply (a pool of workers) in place of new ones; make recursions loops; keep large arrays off the stack.",
		FalsePositives: "A short burst of new goroutines.",
		Refs: []string{
			"https://go.dev/doc/go1.19#runtime",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.newstack",
						"runtime.copystack",
						"runtime.morestack",
						"runtime.morestack_noctxt",
					},
					Has: []string{
						"runtime.copystack",
					},
				},
			},
			Shares: Shares{
				Low:    0.07,
				Medium: 0.14,
			},
			Order: 520,
		},
	},
	{
		ID:             "TR565",
		Name:           "panics-as-control-flow",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on panics that are recovered",
		Title:          "{culprit} spends {share} of CPU{cores} panicking and recovering",
		Why:            "A panic walks the stack and runs its deferred calls: microseconds, 100 times what returning an error costs. {function} does it so often that {own_share} of all CPU goes there; 41 real profiles have 0.1 % at most.",
		Fix:            "Return errors. Check for nil, bounds and types before; look into what panics if nobody meant it to: recovered panics hide crashes.",
		FalsePositives: "Parsers that leave deep recursion by panic, once an input.",
		Refs: []string{
			"https://go.dev/blog/defer-panic-and-recover",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.gopanic",
						"panic",
						"runtime.gorecover",
						"runtime.recovery",
						"runtime.sigpanic",
					},
				},
				{
					Internals: []string{
						"runtime.recovery",
						"runtime.addOneOpenDeferFrame",
						"runtime.(*_panic).nextFrame",
					},
				},
			},
			Shares: Shares{
				Low:    0.01,
				Medium: 0.04,
			},
			Order: 220,
		},
	},
	{
		ID:             "TR566",
		Name:           "goroutine-churn",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on starting and ending goroutines",
		Title:          "{culprit} spends {share} of CPU{cores} starting goroutines",
		Why:            "A goroutine costs about 300 ns to start and end, and wakes other threads besides. {function} starts one for so little work that {own_share} of all CPU goes into that.",
		Fix:            "Give each goroutine a piece of the work, as many as there are processors, or use a fixed number of workers (errgroup.SetLimit).",
		FalsePositives: "A benchmark of goroutines.",
		Refs: []string{
			"https://pkg.go.dev/golang.org/x/sync/errgroup#Group.SetLimit",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.newproc",
						"runtime.newproc1",
						"runtime.goexit0",
						"runtime.gdestroy",
						"runtime.goexit1",
						"runtime.malg",
						"runtime.gfget",
						"runtime.gfput",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.12,
			},
			Order: 530,
			Explains: []string{
				"TR580",
			},
		},
	},
	{
		ID:             "TR567",
		Name:           "finalizers",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on finalizers",
		Title:          "{culprit} spends {share} of CPU{cores} on finalizers",
		Why:            "A finalizer keeps its object for another collection, is registered under a lock and run one after the other. {function} sets them for objects that are many and short-lived; net.Conn and os.File have them too.",
		Fix:            "Close what is opened, and set no finalizers on small objects; keep connections and files open in place of making new ones.",
		FalsePositives: "Bindings to C that must free what C allocated.",
		Refs: []string{
			"https://go.dev/doc/gc-guide#Finalizers_cleanups_and_weak_pointers",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.SetFinalizer",
						"runtime.AddCleanup*",
						"runtime.addfinalizer",
						"runtime.addspecial",
						"runtime.runfinq",
						"runtime.runFinalizers",
						"runtime.runCleanups",
						"runtime.freeSpecial",
						"runtime.queuefinalizer",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.08,
			},
			Order: 531,
		},
	},
	{
		ID:             "TR568",
		Name:           "memory-statistics",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on measuring the process itself",
		Title:          "{culprit} spends {share} of CPU{cores} measuring the process",
		Why:            "runtime.ReadMemStats stops all goroutines, and /proc is text that the kernel writes anew with each read. {function} measures for {own_share} of all CPU.",
		Fix:            "Read runtime/metrics, which does not stop the world, a few times a minute and not for each request.",
		FalsePositives: "A monitoring agent whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/runtime/metrics",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.ReadMemStats",
						"runtime/debug.ReadGCStats",
						"runtime/debug.ReadBuildInfo",
						"runtime/metrics.Read",
						"runtime.NumGoroutine",
						"github.com/prometheus/client_golang/prometheus.(*goCollector).*",
						"github.com/shirou/gopsutil/**",
						"github.com/prometheus/procfs/**",
						"github.com/google/cadvisor/**",
					},
					NotUnder: []string{
						"net/http/pprof.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.08,
			},
			Order: 221,
		},
	},
	{
		ID:             "TR569",
		Name:           "cgo-calls",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent in C code, which a Go profile can't look into",
		Title:          "{culprit} spends {share} of CPU{cores} in C code",
		Why:            "{own_share} of all CPU is spent below cgo calls of {function}; the profile ends at the call. A call itself costs some 40 ns.",
		Fix:            "Look below with perf or an eBPF profiler; where calls are short and many, hand over work in batches.",
		FalsePositives: "A program that is a shell around a C library (SQLite, DuckDB, RocksDB) spends its time there.",
		Refs: []string{
			"https://pkg.go.dev/cmd/cgo",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"**._Cfunc_*",
						"runtime.cgocall",
						"runtime.asmcgocall*",
						"runtime.cgocallbackg*",
						"runtime.cgoCheckPointer",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.35,
			},
			Order: 95,
		},
	},
	{
		ID:             "TR570",
		Name:           "race-detector",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "high",
		Finds:          "A program that was built with the race detector or a sanitizer",
		Title:          "{culprit} spends {share} of CPU{cores} in the race detector",
		Why:            "The runtime's hooks for the race detector (go build -race) or a C sanitizer are in the profile: the program runs 2 to 20 times slower and takes 5 to 10 times the memory.",
		Fix:            "Build what runs in production without -race, -asan and -msan.",
		FalsePositives: "A test environment where it is meant so.",
		Refs: []string{
			"https://go.dev/doc/articles/race_detector",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.racefuncenter",
						"runtime.raceread*",
						"runtime.racewrite*",
						"runtime.racecall*",
						"runtime.racecallatomic",
						"__tsan_*",
						"__asan_*",
						"__msan_*",
					},
				},
				{
					Internals: []string{
						"racecall",
						"racefuncenter",
						"racefuncexit",
						"racecallatomic",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.1,
			},
			Order: 90,
		},
	},
	{
		ID:             "TR571",
		Name:           "profiler-itself",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent by profilers and tracers",
		Title:          "{culprit} spends {share} of CPU{cores} profiling",
		Why:            "{own_share} of the samples are the profiler's own work: what is left is smaller than it looks, or something else is profiled all the time.",
		Fix:            "Profile longer and one thing at a time; take goroutine dumps of large processes rarely; turn continuous profilers' rates down.",
		FalsePositives: "A short profile of an idle process: nothing else was there.",
		Refs: []string{
			"https://pkg.go.dev/runtime/pprof",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime/pprof.profileWriter",
						"runtime/pprof.StartCPUProfile",
						"runtime/pprof.(*profileBuilder).*",
						"runtime/pprof.(*Profile).WriteTo",
						"runtime/pprof.WriteHeapProfile",
						"runtime.GoroutineProfile",
						"runtime.goroutineProfileWithLabels*",
						"net/http/pprof.*",
						"runtime/trace.*",
						"github.com/grafana/pyroscope-go/**",
						"github.com/DataDog/dd-trace-go/**",
						"gopkg.in/DataDog/dd-trace-go.v1/profiler.*",
						"github.com/felixge/fgprof.*",
						"runtime.traceWriter*",
					},
				},
			},
			Shares: Shares{
				Low:    0.08,
				Medium: 0.3,
			},
			Order: 91,
		},
	},
	{
		ID:             "TR515",
		Name:           "regexp-compilation",
		Category:       "hot-cpu",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on compiling regular expressions again and again",
		Title:          "{culprit} spends {share} of CPU{cores} compiling regular expressions",
		Why:            "Compiling an expression costs as much as hundreds of matches. {function} compiles during {own_share} of all CPU, which is each time that it is called; regexp.MatchString does so too.",
		Fix:            "Compile into a package-level variable (var hostRE = regexp.MustCompile(…)), or keep compiled expressions by their text where they come from users; for a fixed text use strings.Contains, HasPrefix or Cut.",
		FalsePositives: "Ever new expressions from users; a profile of the first seconds of a process.",
		Refs: []string{
			"https://pkg.go.dev/regexp#MustCompile",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"regexp.Compile",
						"regexp.MustCompile",
						"regexp.CompilePOSIX",
						"regexp.MustCompilePOSIX",
						"github.com/dlclark/regexp2.Compile",
						"github.com/dlclark/regexp2.MustCompile",
					},
				},
				{
					Frames: []string{
						"regexp.MatchString",
						"regexp.Match",
						"regexp.MatchReader",
					},
					Has: []string{
						"regexp.compile",
					},
				},
				{
					Internals: []string{
						"regexp/syntax.Parse",
						"regexp/syntax.Compile",
						"regexp.compileOnePass",
					},
				},
			},
			Shares: Shares{
				Low:    0.01,
				Medium: 0.04,
				High:   0.4,
			},
			Order: 200,
		},
	},
	{
		ID:             "TR516",
		Name:           "template-parsing",
		Category:       "hot-cpu",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on parsing the same templates again and again",
		Title:          "{culprit} spends {share} of CPU{cores} parsing templates",
		Why:            "A parsed template can be executed by any number of goroutines. {function} parses it anew each time, and html/template then escapes it anew as well.",
		Fix:            "Parse once, at start-up or into a package-level variable (template.Must), and only execute afterwards.",
		FalsePositives: "Templates that users send and that are each executed once.",
		Refs: []string{
			"https://pkg.go.dev/text/template",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"text/template.(*Template).Parse*",
						"html/template.(*Template).Parse*",
						"text/template.Parse*",
						"html/template.Parse*",
						"html/template.(*Template).Clone",
						"text/template/parse.*",
						"html/template.(*escaper).*",
						"html/template.(*nameSpace).*",
					},
				},
				{
					Internals: []string{
						"text/template/parse.*",
						"html/template.escapeTemplate",
					},
				},
			},
			Shares: Shares{
				Low:    0.01,
				Medium: 0.05,
				High:   0.4,
			},
			Order: 201,
		},
	},
	{
		ID:             "TR517",
		Name:           "time-zone-loading",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on loading the same time zones again and again",
		Title:          "{culprit} spends {share} of CPU{cores} loading time zones",
		Why:            "time.LoadLocation opens and parses the zone's file with every call; nothing keeps the result. {function} calls it where it formats or compares times.",
		Fix:            "Load each zone once and keep the *time.Location: in a package-level variable, or in a sync.Map by name.",
		FalsePositives: "None known: a location never changes while a program runs.",
		Refs: []string{
			"https://pkg.go.dev/time#LoadLocation",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"time.LoadLocation",
						"time.LoadLocationFromTZData",
						"time.loadLocation",
					},
				},
			},
			Shares: Shares{
				Low:    0.01,
				Medium: 0.05,
			},
			Order: 202,
		},
	},
	{
		ID:             "TR518",
		Name:           "rand-seeding",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on seeding random number generators again and again",
		Title:          "{culprit} spends {share} of CPU{cores} seeding random generators",
		Why:            "math/rand's source fills a table of 607 numbers from its seed, some 10 µs. {function} makes a source for a few numbers and drops it; two made in one nanosecond also give the same numbers.",
		Fix:            "Use the functions of math/rand/v2 (seeded by the runtime, no lock), or keep one source a goroutine.",
		FalsePositives: "Simulations that must repeat each step from a seed of its own: math/rand/v2's PCG seeds in nanoseconds.",
		Refs: []string{
			"https://go.dev/blog/randv2",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"math/rand.NewSource",
						"math/rand.Seed",
						"math/rand.(*Rand).Seed",
						"math/rand.(*rngSource).Seed",
						"math/rand.seedrand",
						"math/rand/v2.NewChaCha8",
					},
				},
			},
			Shares: Shares{
				Low:    0.01,
				Medium: 0.05,
			},
			Order: 203,
		},
	},
	{
		ID:             "TR519",
		Name:           "compressor-per-call",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on making compressors that are used once",
		Title:          "{culprit} spends {share} of CPU{cores} making compressors",
		Why:            "A flate writer allocates and clears 800 kB before it compresses its first byte (1.2 MB at high levels), zstd's more. {function} makes one for each piece of data, and the collector pays once more.",
		Fix:            "Keep writers in a sync.Pool and Reset them for the next piece; skip compression below a kilobyte or two.",
		FalsePositives: "Few, long streams, of which each needs its own.",
		Refs: []string{
			"https://pkg.go.dev/compress/gzip#Writer.Reset",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"compress/flate.NewWriter",
						"compress/flate.NewWriterDict",
						"compress/flate.(*compressor).init",
						"compress/flate.NewReader",
						"compress/gzip.NewReader",
						"compress/lzw.NewWriter",
						"github.com/klauspost/compress/flate.NewWriter*",
						"github.com/klauspost/compress/zstd.NewWriter",
						"github.com/klauspost/compress/zstd.NewReader",
						"github.com/klauspost/compress/zstd.(*Encoder).initialize",
						"github.com/klauspost/compress/zstd.(*fastBase).ensureHist",
						"github.com/klauspost/compress/s2.NewWriter",
						"github.com/golang/snappy.NewBufferedWriter",
						"github.com/pierrec/lz4.NewWriter",
						"github.com/andybalholm/brotli.NewWriter*",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.06,
			},
			Order:  204,
			Family: "compression",
		},
	},
	{
		ID:             "TR520",
		Name:           "kubernetes-clients-rebuilt",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on building Kubernetes clients and schemes again and again",
		Title:          "{culprit} spends {share} of CPU{cores} building clients",
		Why:            "A client brings a transport, a rate limiter, a scheme and a REST mapper, and each new one discovers the API and shakes hands again. {function} builds them while it works, not when it starts.",
		Fix:            "Build the client and scheme once for a cluster and hand them in; for many clusters keep them by kubeconfig hash.",
		FalsePositives: "A process that has only just started.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sigs.k8s.io/controller-runtime/pkg/client.New",
						"sigs.k8s.io/controller-runtime/pkg/cluster.New",
						"k8s.io/client-go/kubernetes.NewForConfig*",
						"k8s.io/client-go/dynamic.NewForConfig*",
						"k8s.io/client-go/metadata.NewForConfig*",
						"k8s.io/client-go/discovery.NewDiscoveryClientForConfig*",
						"k8s.io/client-go/rest.RESTClientFor*",
						"k8s.io/client-go/rest.HTTPClientFor",
						"k8s.io/client-go/rest.TransportFor",
						"k8s.io/client-go/tools/clientcmd.RESTConfigFromKubeConfig",
						"k8s.io/client-go/tools/clientcmd.NewClientConfigFromBytes",
						"k8s.io/client-go/tools/clientcmd.Load*",
						"k8s.io/apimachinery/pkg/runtime.NewScheme",
						"k8s.io/apimachinery/pkg/runtime.(*SchemeBuilder).AddToScheme",
						"k8s.io/apimachinery/pkg/runtime.(*Scheme).AddKnownTypes*",
						"k8s.io/apimachinery/pkg/runtime/serializer.NewCodecFactory",
						"k8s.io/client-go/kubernetes/scheme.AddToScheme",
					},
					NotUnder: []string{
						"main.main",
						"runtime.doInit*",
					},
				},
			},
			Shares: Shares{
				Low:    0.01,
				Medium: 0.05,
			},
			Order: 205,
			Explains: []string{
				"TR503",
				"TR505",
				"TR587",
				"TR588",
				"TR504",
			},
		},
	},
	{
		ID:             "TR521",
		Name:           "discovery-rebuilt",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on discovering the cluster's API and building REST mappers again and again",
		Title:          "{culprit} spends {share} of CPU{cores} on API discovery",
		Why:            "A REST mapper of a cluster with many custom resources holds thousands of entries, and discovery asks for each group. {function} does it again and again, where one mapper serves the process.",
		Fix:            "Share one mapper (the manager's GetRESTMapper), or a cached discovery client that is invalidated only when a kind is missing.",
		FalsePositives: "A process that has only just started, or a cluster whose definitions change all the time.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client/apiutil",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"k8s.io/client-go/discovery.**",
						"k8s.io/client-go/restmapper.*",
						"k8s.io/apimachinery/pkg/api/meta.(*DefaultRESTMapper).Add*",
						"k8s.io/apimachinery/pkg/api/meta.NewDefaultRESTMapper",
						"sigs.k8s.io/controller-runtime/pkg/client/apiutil.NewDynamicRESTMapper",
						"sigs.k8s.io/controller-runtime/pkg/client/apiutil.NewDiscoveryRESTMapper",
						"sigs.k8s.io/controller-runtime/pkg/client/apiutil.(*mapper).*",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.08,
			},
			Order: 206,
			Explains: []string{
				"TR503",
				"TR505",
				"TR587",
				"TR588",
				"TR504",
			},
		},
	},
	{
		ID:             "TR522",
		Name:           "live-reads",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on reading objects from the API server where a cache would do",
		Title:          "{culprit} spends {share} of CPU{cores} reading live from the API server",
		Why:            "{function} asks the API server for objects during {own_share} of all CPU: a request, its TLS, its decoding, each time. The API server pays for it too, and its fairness queues slow the rest of the cluster down.",
		Fix:            "Read from an informer's lister or the manager's cached client; for labels and owners alone a metadata-only cache is enough. Where a live read must be, keep it for those cases that need it.",
		FalsePositives: "Reads that must be consistent, and programs that run only a moment.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/cache",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"k8s.io/client-go/dynamic.(*dynamicResourceClient).Get",
						"k8s.io/client-go/dynamic.(*dynamicResourceClient).List",
						"k8s.io/client-go/metadata.(*client).Get",
						"k8s.io/client-go/kubernetes/typed/**.Get",
						"k8s.io/client-go/kubernetes/typed/**.List",
						"k8s.io/client-go/gentype.(*Client[...]).Get",
						"k8s.io/client-go/gentype.(*alsoLister[...]).List",
						"sigs.k8s.io/controller-runtime/pkg/client.(*typedClient).Get",
						"sigs.k8s.io/controller-runtime/pkg/client.(*typedClient).List",
						"sigs.k8s.io/controller-runtime/pkg/client.(*unstructuredClient).Get",
						"sigs.k8s.io/controller-runtime/pkg/client.(*unstructuredClient).List",
						"sigs.k8s.io/controller-runtime/pkg/client.(*metadataClient).Get",
					},
					NotUnder: []string{
						"k8s.io/client-go/tools/cache.(*Reflector).**",
						"k8s.io/client-go/tools/leaderelection.**",
						"k8s.io/client-go/tools/pager.**",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.1,
			},
			Order: 210,
		},
	},
	{
		ID:             "TR523",
		Name:           "types-registered-again",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on compiling schemas, codecs or policies again and again",
		Title:          "{culprit} spends {share} of CPU{cores} compiling schemas or codecs",
		Why:            "A gob stream describes its types at its beginning, a JSON schema, a CEL or Rego policy is compiled before its first use: costs that are meant to be paid once. {function} pays them each time.",
		Fix:            "Keep the compiled schema, policy or program; keep the gob encoder and decoder for a connection, and don't use gob to copy values.",
		FalsePositives: "Ever new schemas or policies.",
		Refs: []string{
			"https://pkg.go.dev/encoding/gob",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"encoding/gob.Register*",
						"encoding/gob.getType",
						"encoding/gob.buildTypeInfo",
						"encoding/gob.(*Decoder).compileDec",
						"encoding/gob.(*Encoder).sendTypeDescriptor",
						"google.golang.org/protobuf/reflect/protodesc.*",
						"google.golang.org/protobuf/internal/filedesc.(*File).*",
						"google.golang.org/protobuf/reflect/protoregistry.(*Files).RegisterFile",
						"github.com/xeipuuv/gojsonschema.NewSchema",
						"github.com/xeipuuv/gojsonschema.(*SchemaLoader).Compile",
						"github.com/santhosh-tekuri/jsonschema.(*Compiler).Compile",
						"github.com/google/cel-go/cel.NewEnv",
						"github.com/google/cel-go/cel.(*Env).Compile",
						"github.com/google/cel-go/cel.(*Env).Program",
						"github.com/expr-lang/expr.Compile",
						"github.com/open-policy-agent/opa/ast.(*Compiler).Compile",
						"github.com/open-policy-agent/opa/rego.(*Rego).PrepareForEval",
						"k8s.io/kube-openapi/**.NewGVKParser",
					},
					NotUnder: []string{
						"runtime.doInit*",
					},
				},
			},
			Shares: Shares{
				Low:    0.02,
				Medium: 0.08,
			},
			Order:  211,
			Family: "gob",
		},
	},
	{
		ID:             "TR573",
		Name:           "clock-polling",
		Category:       "spin",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on reading the clock, in a loop that waits for a time or measures too much",
		Title:          "{culprit} spends {share} of CPU{cores} reading the clock",
		Why:            "90 in 100 real CPU profiles have under 2.1 % in time.Now, which takes 50 ns. {own_share} is a loop that waits by looking at the clock, or that measures each of many small steps.",
		Fix:            "Wait with a timer (time.Sleep, time.NewTimer, a context with a deadline); measure a batch and not each item; where the second is enough, keep the time in an atomic that a ticker sets.",
		FalsePositives: "Virtual machines without a fast clock source (no vDSO) make each reading a system call of a microsecond.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/time#NewTimer",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"time.Now",
						"time.Since",
						"time.Until",
						"time.now",
						"time.runtimeNow",
						"time.runtimeNano",
					},
				},
			},
			Shares: Shares{
				Low:    0.08,
				Medium: 0.2,
				High:   0.3,
			},
			Order:  430,
			Family: "waiting",
			Cores:  0.1,
		},
	},
	{
		ID:             "TR574",
		Name:           "default-polling",
		Category:       "spin",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "A loop that polls a channel with select and default",
		Title:          "{culprit} spends {share} of CPU{cores} polling channels",
		Why:            "A select with a default case never waits. 90 in 100 real CPU profiles have under 4 % in all selects; {function} polls in a loop for {own_share} of all CPU.",
		Fix:            "Drop the default case so that select waits; where something else must be looked at too, add its channel or a timer.",
		FalsePositives: "A producer that drops what nobody takes, at a high rate.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://go.dev/ref/spec#Select_statements",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.selectnbrecv",
						"runtime.selectnbsend",
						"reflect.chanrecv",
						"reflect.chansend0",
						"reflect.Value.TryRecv",
						"reflect.Value.TrySend",
					},
					NotUnder: []string{
						"time.sendTime",
						"runtime.(*timer).**",
						"runtime.(*timers).**",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
				High:   0.2,
			},
			Order:  431,
			Family: "waiting",
			Explains: []string{
				"TR580",
			},
			Cores: 0.1,
		},
	},
	{
		ID:             "TR575",
		Name:           "atomic-polling",
		Category:       "spin",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "A loop on an atomic variable",
		Title:          "{culprit} spends {share} of CPU{cores} on atomic operations",
		Why:            "{own_share} of all CPU is in atomic operations that {function} asks for itself: a loop that waits for a flag, or a compare-and-swap that many processors retry on one cache line.",
		Fix:            "Wait with a channel, a sync.Cond or a mutex; count in a variable of each worker and add up; keep counters apart by a cache line.",
		FalsePositives: "Lock-free data structures in a benchmark.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://go.dev/ref/mem",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Leaf: []string{
						"sync/atomic.*",
						"internal/runtime/atomic.*",
						"runtime/internal/atomic.*",
					},
					NotUnder: []string{
						"sync.(*Mutex).**",
						"sync.(*RWMutex).**",
						"internal/sync.**",
						"sync.(*Map).**",
						"sync.(*Pool).**",
						"sync.(*WaitGroup).**",
						"runtime.lock*",
						"runtime.unlock*",
						"runtime.mallocgc",
						"runtime.gcBgMarkWorker",
						"runtime.schedule",
						"runtime.findRunnable",
						"runtime.mcall",
						"runtime.systemstack",
						"runtime.chansend*",
						"runtime.chanrecv*",
						"runtime.selectgo",
						"runtime.morestack",
						"runtime.newproc",
						"runtime.gopark",
						"runtime.goready",
						"runtime.park_m",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
				High:   0.4,
			},
			Order: 432,
			Cores: 0.1,
		},
	},
	{
		ID:             "TR576",
		Name:           "timer-churn",
		Category:       "spin",
		Severity:       "high",
		Confidence:     "medium",
		Finds:          "CPU spent on making timers in a loop",
		Title:          "{culprit} spends {share} of CPU{cores} making timers",
		Why:            "Each time.After makes a timer and a channel, and until Go 1.23 they stay until it fires. {function} makes them in a loop that turns often: one for each event, or with a time so short that it polls.",
		Fix:            "Make one timer and Reset it; wait for the event itself in place of polling; poll every second, not every microsecond.",
		FalsePositives: "A server that sets a deadline for each of many requests.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/time#After",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"time.After",
						"time.NewTimer",
						"time.Tick",
						"time.NewTicker",
						"time.AfterFunc",
						"time.(*Timer).Reset",
						"time.(*Timer).Stop",
						"time.(*Ticker).Reset",
						"time.newTimer",
						"time.stopTimer",
						"time.resetTimer",
						"time.startTimer",
						"context.WithTimeout",
						"context.WithDeadline",
					},
				},
			},
			Shares: Shares{
				Low:    0.03,
				Medium: 0.06,
				High:   0.1,
			},
			Order:  433,
			Family: "waiting",
			Explains: []string{
				"TR577",
				"TR580",
				"TR555",
			},
			Cores: 0.1,
		},
	},
	{
		ID:             "TR577",
		Name:           "timer-storm",
		Category:       "spin",
		Severity:       "high",
		Confidence:     "low",
		Finds:          "CPU spent on timers that fire all the time",
		Title:          "{culprit} spends {share} of CPU{cores} on timers that fire all the time",
		Why:            "{own_share} of all CPU is the runtime's work for timers and sleeps: goroutines that wake every few microseconds, or thousands of tickers. It runs on the scheduler's stacks, so that few samples show who set them.",
		Fix:            "Wait for an event in place of sleeping and looking again; make polling intervals milliseconds at least; let one ticker serve all.",
		FalsePositives: "A load generator or a pacer of packets.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/time#Ticker",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"time.Sleep",
						"time.sendTime",
						"time.goFunc",
						"runtime.(*timers).check",
						"runtime.(*timers).run",
						"runtime.(*timer).*",
						"runtime.(*timers).*",
						"runtime.checkTimers",
						"runtime.runtimer",
						"runtime.runOneTimer",
						"runtime.timeSleep",
						"runtime.resetForSleep",
						"runtime.timerproc",
						"runtime.goroutineReady",
						"runtime.usleep_no_g",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.2,
				High:   0.5,
			},
			Order:  434,
			Family: "waiting",
			Explains: []string{
				"TR580",
			},
			Cores: 0.1,
		},
	},
	{
		ID:             "TR578",
		Name:           "channel-handoff",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on handing single items from goroutine to goroutine",
		Title:          "{culprit} spends {share} of CPU{cores} on channel operations",
		Why:            "A hand-over costs 50 to 200 ns, and more where the other side must be woken on another processor. 90 in 100 real CPU profiles have under 4 % each in channels and selects, {function} {own_share}: items that are too small for their way.",
		Fix:            "Send batches, give the channel a buffer, do small steps in one goroutine, use a mutex for a shared counter or map.",
		FalsePositives: "A benchmark of channels.",
		Refs: []string{
			"https://go.dev/blog/pipelines",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.chansend",
						"runtime.chansend1",
						"runtime.chanrecv",
						"runtime.chanrecv1",
						"runtime.chanrecv2",
						"runtime.selectgo",
						"runtime.closechan",
						"runtime.makechan",
						"reflect.Select",
						"reflect.rselect",
					},
				},
				{
					At: []string{
						"sync.(*Cond).*",
						"sync.runtime_notifyList*",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.2,
			},
			Order:  435,
			Family: "waiting",
			Explains: []string{
				"TR580",
			},
		},
	},
	{
		ID:             "TR580",
		Name:           "scheduler",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "CPU spent on scheduling goroutines",
		Title:          "{culprit} spends {share} of CPU{cores} scheduling goroutines",
		Why:            "90 in 100 real CPU profiles have under 12 % in the scheduler. {own_share} means that goroutines wake for very little: polls, tickers, single items over channels; or that there are more threads than processors (GOMAXPROCS above the container's CPU limit, before Go 1.25).",
		Fix:            "Take a dump to see who wakes; batch hand-overs; lengthen tickers; set GOMAXPROCS to the CPU limit before Go 1.25.",
		FalsePositives: "A mostly idle process: looking for work is all that is left.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://go.dev/doc/go1.25#container-aware-gomaxprocs",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.schedule",
						"runtime.findRunnable",
						"runtime.findrunnable",
						"runtime.park_m",
						"runtime.stealWork",
						"runtime.runqsteal",
						"runtime.wakep",
						"runtime.startm",
						"runtime.stopm",
						"runtime.mstart1",
						"runtime.ready",
						"runtime.goready",
						"runtime.sysmon",
						"runtime.netpoll",
						"runtime.netpollBreak",
					},
				},
			},
			Shares: Shares{
				Low:    0.3,
				Medium: 0.5,
			},
			Order:  610,
			Family: "waiting",
		},
	},
	{
		ID:             "TR581",
		Name:           "lock-contention",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on fighting for a lock",
		Title:          "{culprit} spends {share} of CPU{cores} fighting for a lock",
		Why:            "A lock that is free costs 10 ns. {own_share} of all CPU in Lock and Unlock, where 95 in 100 real CPU profiles have under 6 %, means that goroutines spin for it, sleep and wake each other: {function} takes a lock that everybody wants.",
		Fix:            "Hold it shorter (no I/O, logging or allocation inside), split it by key, count with atomics or per worker, replace a shared map by one that is copied on change. A mutex profile names the holder: runtime.SetMutexProfileFraction(100).",
		FalsePositives: "Very many uncontended locks: then it is their number.",
		Refs: []string{
			"https://pkg.go.dev/runtime#SetMutexProfileFraction",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sync.(*Mutex).lockSlow",
						"sync.(*Mutex).unlockSlow",
						"internal/sync.(*Mutex).lockSlow",
						"internal/sync.(*Mutex).unlockSlow",
						"sync.runtime_SemacquireMutex",
						"sync.runtime_doSpin",
						"internal/sync.runtime_SemacquireMutex",
						"internal/sync.runtime_Semrelease",
						"internal/sync.runtime_doSpin",
					},
					NotUnder: []string{
						"sync.(*RWMutex).RLock",
						"sync.(*Map).**",
						"internal/sync.(*HashTrieMap[...]).**",
					},
				},
				{
					At: []string{
						"sync.(*Mutex).Lock",
						"sync.(*Mutex).Unlock",
						"sync.(*Mutex).TryLock",
						"internal/sync.(*Mutex).*",
					},
					NotUnder: []string{
						"sync.(*RWMutex).RLock",
						"sync.(*Map).**",
						"internal/sync.(*HashTrieMap[...]).**",
					},
				},
			},
			Shares: Shares{
				Low:    0.06,
				Medium: 0.12,
			},
			Order:  440,
			Family: "locks",
			Explains: []string{
				"TR580",
			},
		},
	},
	{
		ID:             "TR582",
		Name:           "read-lock-contention",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on a read-write lock whose cache line goes from processor to processor",
		Title:          "{culprit} spends {share} of CPU{cores} in a read-write lock",
		Why:            "RLock writes: every reader adds to one counter, so that its cache line travels between all processors, 20 to 100 ns each time, without anybody waiting. {function} takes it for {own_share} of all CPU.",
		Fix:            "Keep the data behind an atomic.Pointer and replace it whole when it changes; lock by key; read under the lock once for a batch.",
		FalsePositives: "Readers that wait for a slow writer: a block profile shows those.",
		Refs: []string{
			"https://github.com/golang/go/issues/17973",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sync.(*RWMutex).RLock",
						"sync.(*RWMutex).RUnlock",
						"sync.(*RWMutex).rUnlockSlow",
						"sync.(*RWMutex).Lock",
						"sync.(*RWMutex).Unlock",
						"sync.(*RWMutex).TryRLock",
					},
				},
			},
			Shares: Shares{
				Low:    0.06,
				Medium: 0.15,
			},
			Order:  439,
			Family: "locks",
			Explains: []string{
				"TR580",
			},
		},
	},
	{
		ID:             "TR583",
		Name:           "sync-map-contention",
		Category:       "contention",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "CPU spent in a sync.Map that many goroutines write",
		Title:          "{culprit} spends {share} of CPU{cores} in a sync.Map",
		Why:            "A sync.Map is made for keys that are written once and read often: each store allocates, and takes a lock. {function} writes to one for {own_share} of all CPU.",
		Fix:            "Use a map with a mutex for each of some shards, or collect in each worker and merge.",
		FalsePositives: "A read-mostly map that is simply asked very often.",
		Refs: []string{
			"https://pkg.go.dev/sync#Map",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"sync.(*Map).**",
						"internal/sync.(*HashTrieMap[...]).**",
						"internal/concurrent.(*HashTrieMap[...]).**",
					},
				},
			},
			Shares: Shares{
				Low:    0.12,
				Medium: 0.3,
			},
			Order:  438,
			Family: "locks",
		},
	},
	{
		ID:             "TR585",
		Name:           "file-polling",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on opening, reading and looking at files again and again",
		Title:          "{culprit} spends {share} of CPU{cores} opening and looking at files",
		Why:            "Opening, reading and closing a small file takes 5 to 20 µs, most of it in the kernel. {function} does so for {own_share} of all CPU: the same configuration, token or folder with each request or pass.",
		Fix:            "Read once and keep; look at the modification time at most once a second, or watch the file (inotify, fsnotify).",
		FalsePositives: "A program that walks disks by profession.",
		Refs: []string{
			"https://pkg.go.dev/github.com/fsnotify/fsnotify",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"os.Stat",
						"os.Lstat",
						"os.Open",
						"os.OpenFile",
						"os.Create",
						"os.ReadFile",
						"os.WriteFile",
						"os.ReadDir",
						"os.(*File).ReadDir",
						"os.(*File).Readdir",
						"os.(*File).Readdirnames",
						"os.Readlink",
						"os.Remove*",
						"os.Rename",
						"os.MkdirAll",
						"os.Getwd",
						"os.CreateTemp",
						"io/ioutil.ReadFile",
						"io/ioutil.ReadDir",
						"io/fs.ReadFile",
						"io/fs.WalkDir",
						"path/filepath.Walk*",
						"path/filepath.EvalSymlinks",
						"path/filepath.Glob",
						"os.statNolog",
						"syscall.Stat",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.3,
			},
			Order: 450,
		},
	},
	{
		ID:             "TR586",
		Name:           "small-writes",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "CPU spent on system calls that write or read little of a file",
		Title:          "{culprit} spends {share} of CPU{cores} in reads and writes of files",
		Why:            "A system call takes a microsecond whatever it carries. {function} calls read or write for {own_share} of all CPU, unbuffered: a line or a few bytes each.",
		Fix:            "Put a bufio.Writer or bufio.Reader of 64 kB between (and Flush it), or write whole batches.",
		FalsePositives: "Large copies, whose time is the kernel's copying.",
		Refs: []string{
			"https://pkg.go.dev/bufio",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"os.(*File).Write",
						"os.(*File).WriteString",
						"os.(*File).WriteAt",
						"os.(*File).Read",
						"os.(*File).ReadAt",
						"os.(*File).Sync",
						"os.(*File).Seek",
					},
				},
			},
			Shares: Shares{
				Low:    0.25,
				Medium: 0.4,
			},
			Order: 451,
		},
	},
	{
		ID:             "TR587",
		Name:           "dns-lookups",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on looking up names",
		Title:          "{culprit} spends {share} of CPU{cores} looking up names",
		Why:            "Go keeps no answers of DNS: each lookup opens sockets, and with Kubernetes' ndots:5 asks up to ten times for a name outside the cluster. {function} looks up for {own_share} of all CPU.",
		Fix:            "Keep connections, which need no lookup; write external names with a final dot; keep answers for some seconds; set ndots to 1 or 2.",
		FalsePositives: "A resolver or scanner whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/net#hdr-Name_Resolution",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"net.(*Resolver).**",
						"net.Lookup*",
						"net.goLookup*",
						"net.(*conf).*",
						"net.getSystemNSS",
						"net.readHosts",
						"net.lookupStaticHost",
						"net.dnsReadConfig",
						"github.com/miekg/dns.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.05,
				Medium: 0.15,
			},
			Order:  112,
			Family: "connections",
		},
	},
	{
		ID:             "TR588",
		Name:           "dialing",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on opening connections that are not kept",
		Title:          "{culprit} spends {share} of CPU{cores} opening connections",
		Why:            "{own_share} of all CPU opens connections for {function}: one for each request, since the last one was not kept.",
		Fix:            "Share one http.Client or connection pool, read bodies to the end and close them, raise MaxIdleConnsPerHost (2) to the number of concurrent requests.",
		FalsePositives: "A scanner, prober or proxy that sees each host once.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Transport",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"net/http.(*Transport).dialConn*",
						"net.(*Dialer).Dial*",
						"net.Dial*",
						"net.(*sysDialer).*",
						"net.(*netFD).connect",
						"google.golang.org/grpc.Dial*",
						"google.golang.org/grpc.NewClient",
						"database/sql.Open",
						"database/sql.(*DB).conn",
					},
				},
			},
			Shares: Shares{
				Low:    0.08,
				Medium: 0.2,
			},
			Order:  460,
			Family: "connections",
		},
	},
	{
		ID:             "TR589",
		Name:           "processes-started",
		Category:       "hot-cpu",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "CPU spent on starting other programs",
		Title:          "{culprit} spends {share} of CPU{cores} starting processes",
		Why:            "Starting a program takes a millisecond and more, most of it in the kernel and not in this profile. {function} starts them for {own_share} of all CPU.",
		Fix:            "Use a library in place of the program (netlink for ip and iptables, client-go for kubectl), or one long-running process.",
		FalsePositives: "A supervisor or build tool whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/os/exec",
		},
		ProfileDef: ProfileDef{
			Profile: "cpu",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"os/exec.(*Cmd).Start",
						"os/exec.(*Cmd).Run",
						"os/exec.(*Cmd).Output",
						"os/exec.(*Cmd).CombinedOutput",
						"os.StartProcess",
						"syscall.forkExec",
						"syscall.forkAndExecInChild*",
						"os/exec.LookPath",
					},
				},
			},
			Shares: Shares{
				Low:    0.03,
				Medium: 0.1,
			},
			Order: 452,
		},
	},
	{
		ID:             "TR604",
		Name:           "informer-cache",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A heap that is mostly informers' caches",
		Title:          "Informer caches hold {share} of the heap ({amount})",
		Why:            "An informer keeps every object of its kind, whole: managedFields alone are often half of one, and Secrets, ConfigMaps and Events come by the thousands. {amount} of the heap are such objects.",
		Fix:            "Strip what nobody reads (cache.TransformStripManagedFields), restrict caches by namespace, label or field (cache.Options.ByObject), use metadata-only watches, and read Secrets live with DisableFor.",
		FalsePositives: "A controller that needs all of its many objects.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/cache#TransformStripManagedFields",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"**.ObjectMeta).Unmarshal",
						"k8s.io/apimachinery/pkg/apis/meta/v1.(*ObjectMeta).Unmarshal",
						"k8s.io/api/**.Unmarshal",
						"k8s.io/apimachinery/pkg/runtime/serializer/**",
						"k8s.io/apimachinery/pkg/watch.**",
						"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured.**",
						"sigs.k8s.io/json/**",
						"encoding/json.**",
					},
					Under: []string{
						"k8s.io/client-go/tools/cache.**",
						"k8s.io/client-go/rest/watch.**",
						"k8s.io/apimachinery/pkg/watch.(*StreamWatcher).receive",
					},
				},
				{
					Frames: []string{
						"k8s.io/client-go/tools/cache.**",
						"sigs.k8s.io/controller-runtime/pkg/cache/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.3,
				Medium: 0.5,
			},
			Order:   310,
			AtLeast: 32,
		},
	},
	{
		ID:             "TR605",
		Name:           "rest-mapper-copies",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A heap that is mostly copies of the API's discovery",
		Title:          "{culprit} keeps REST mappers of {amount} ({share} of the heap)",
		Why:            "A REST mapper of a cluster with many custom resources takes megabytes. {share} of the heap means that there is one for each client, and that {function} makes clients.",
		Fix:            "Share one mapper and one client for a cluster; drop those of clusters that are gone.",
		FalsePositives: "A process of many clusters that needs one each.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client/apiutil",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"k8s.io/apimachinery/pkg/api/meta.(*DefaultRESTMapper).*",
						"k8s.io/apimachinery/pkg/api/meta.NewDefaultRESTMapper",
						"k8s.io/client-go/restmapper.**",
						"sigs.k8s.io/controller-runtime/pkg/client/apiutil.**",
						"k8s.io/client-go/discovery.**",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order:   300,
			AtLeast: 16,
		},
	},
	{
		ID:             "TR606",
		Name:           "compressors-allocated",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Most of what is allocated is compressors that are used once",
		Title:          "{culprit} allocates {share} of all bytes for compressors",
		Why:            "A flate writer takes 800 kB and more. {amount} since the program began, allocated for {function}, kept the collector busy for writers that served once.",
		Fix:            "Keep writers and readers in a sync.Pool and Reset them.",
		FalsePositives: "A few long streams in a program that allocates little else.",
		Refs: []string{
			"https://pkg.go.dev/compress/gzip#Writer.Reset",
		},
		ProfileDef: ProfileDef{
			Profile: "allocs",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"compress/flate.NewWriter",
						"compress/flate.NewWriterDict",
						"compress/flate.(*compressor).init*",
						"compress/flate.NewReader*",
						"compress/gzip.NewReader",
						"github.com/klauspost/compress/flate.NewWriter*",
						"github.com/klauspost/compress/zstd.*",
						"github.com/klauspost/compress/s2.*",
						"github.com/golang/snappy.*",
						"github.com/pierrec/lz4.*",
						"github.com/andybalholm/brotli.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.15,
				Medium: 0.3,
			},
			Order:   200,
			AtLeast: 256,
		},
	},
	{
		ID:             "TR607",
		Name:           "goroutine-memory",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A heap that is mostly the runtime's structures of goroutines",
		Title:          "Goroutines hold {share} of the heap ({amount}), without their stacks",
		Why:            "A goroutine's structure takes some 450 bytes and is never freed, only used again: {amount} of them mean that a hundred thousand or more were there at once. Their stacks (2 kB and more each) come on top and are not in a heap profile.",
		Fix:            "Find who starts them and what they wait for (a goroutine dump or profile); bound their number.",
		FalsePositives: "A burst that is over: the structures stay.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/runtime/pprof#Profile",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.malg",
						"runtime.allocm",
						"runtime.newproc1",
						"runtime.allgadd",
						"runtime.acquireSudog",
					},
				},
			},
			Shares: Shares{
				Low:    0.2,
				Medium: 0.4,
			},
			Order:   301,
			AtLeast: 16,
		},
	},
	{
		ID:             "TR608",
		Name:           "timers-kept",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A heap that is mostly timers and contexts that nobody stopped",
		Title:          "{culprit} keeps timers or contexts of {amount} ({share} of the heap)",
		Why:            "A timer stays until it fires (time.After, and before Go 1.23 every one that is not stopped), a context until it is cancelled. {function} made {amount} of them that are still there.",
		Fix:            "Stop timers, call every cancel function (defer cancel()), take one timer and Reset it, make time limits short where there are many.",
		FalsePositives: "A scheduler of very many future events.",
		Refs: []string{
			"https://pkg.go.dev/context#WithTimeout",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"time.NewTimer",
						"time.newTimer",
						"time.After",
						"time.NewTicker",
						"time.AfterFunc",
						"time.Tick",
						"context.WithTimeout*",
						"context.WithDeadline*",
						"context.WithCancel*",
						"context.(*cancelCtx).propagateCancel",
					},
				},
			},
			Shares: Shares{
				Low:    0.1,
				Medium: 0.25,
			},
			Order:   302,
			AtLeast: 8,
		},
	},
	{
		ID:             "TR610",
		Name:           "buffers-kept",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "A heap that is mostly the buffers of connections",
		Title:          "Connections hold {share} of the heap ({amount}) in buffers",
		Why:            "An HTTP connection has 8 kB of buffers, with TLS and HTTP/2 30 to 70 kB. {amount} mean thousands of connections: clients that connect and stay, or a Transport for each request whose idle connections wait for 90 seconds or for ever.",
		Fix:            "Share one Transport with IdleConnTimeout; set IdleTimeout and ReadHeaderTimeout on servers; bound what is open at once.",
		FalsePositives: "A gateway for many clients.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Transport",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"bufio.NewReaderSize",
						"bufio.NewWriterSize",
						"bufio.NewReader",
						"bufio.NewWriter",
						"net/http.newBufioReader",
						"net/http.newBufioWriterSize",
						"net/http.(*Transport).dialConn",
						"golang.org/x/net/http2.**",
						"google.golang.org/grpc/internal/transport.**",
						"google.golang.org/grpc/mem.**",
						"github.com/gorilla/websocket.*",
						"crypto/tls.(*Conn).**",
					},
				},
			},
			Shares: Shares{
				Low:    0.25,
				Medium: 0.5,
			},
			Order:   400,
			AtLeast: 64,
		},
	},
	{
		ID:             "TR611",
		Name:           "certificate-pools-kept",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A heap that is mostly parsed certificates",
		Title:          "{culprit} keeps certificates of {amount} ({share} of the heap)",
		Why:            "The system's pool of roots takes half a megabyte once parsed. {function} keeps {amount}: one pool for each client or connection.",
		Fix:            "Build the pool once and share it between all tls.Configs.",
		FalsePositives: "A program that holds very many different certificates.",
		Refs: []string{
			"https://pkg.go.dev/crypto/x509#SystemCertPool",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"crypto/x509.*",
						"crypto/tls.X509KeyPair",
						"crypto/tls.LoadX509KeyPair",
						"crypto/tls.(*Config).Clone",
						"encoding/pem.Decode",
					},
					NotUnder: []string{
						"crypto/x509.systemRootsPool",
					},
				},
			},
			Shares: Shares{
				Low:    0.15,
				Medium: 0.3,
			},
			Order:   303,
			AtLeast: 16,
		},
	},
	{
		ID:             "TR614",
		Name:           "regexps-kept",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A heap that is mostly compiled regular expressions",
		Title:          "{culprit} keeps regular expressions of {amount} ({share} of the heap)",
		Why:            "A compiled expression takes kilobytes, one with counted repeats or Unicode classes hundreds of them. {function} keeps {amount}: a cache without bound, or an expression for each object.",
		Fix:            "Share expressions by their text, bound the cache, write Unicode classes and counted repeats smaller.",
		FalsePositives: "A rule engine that needs all of them.",
		Refs: []string{
			"https://pkg.go.dev/regexp",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"regexp.Compile*",
						"regexp.MustCompile*",
						"regexp.compile*",
						"regexp/syntax.*",
						"regexp.(*Regexp).**",
						"github.com/dlclark/regexp2/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.15,
				Medium: 0.3,
			},
			Order:   304,
			AtLeast: 16,
		},
	},
	{
		ID:             "TR615",
		Name:           "profiling-memory",
		Category:       "memory",
		Severity:       "low",
		Confidence:     "medium",
		Finds:          "A heap that is mostly profiles, traces and spans",
		Title:          "Profiling and tracing hold {share} of the heap ({amount})",
		Why:            "{amount} belong to profiles in the making or to spans that were not sent yet: an exporter whose other end does not answer keeps them.",
		Fix:            "Bound the exporter's queue, sample less, see why its collector does not take them.",
		FalsePositives: "The profile that was just taken, of a small process.",
		Refs: []string{
			"https://pkg.go.dev/runtime/pprof",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime/pprof.**",
						"net/http/pprof.**",
						"runtime/trace.**",
						"github.com/grafana/pyroscope-go/**",
						"github.com/DataDog/dd-trace-go/**",
						"gopkg.in/DataDog/dd-trace-go.v1/**",
						"go.opentelemetry.io/otel/sdk/**",
						"go.opencensus.io/**",
					},
				},
			},
			Shares: Shares{
				Low: 0.2,
			},
			Order:   305,
			AtLeast: 16,
		},
	},
	{
		ID:             "TR616",
		Name:           "metrics-kept",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A heap that is mostly metrics, because a label has too many values",
		Title:          "{culprit} keeps metrics of {amount} ({share} of the heap)",
		Why:            "Each combination of label values is a metric of its own, a histogram some kilobytes, and none is ever dropped. {function} made {amount} of them: a label holds an id, a path, an address or an error's text.",
		Fix:            "Drop the label or put its values into classes; delete series of objects that are gone (DeletePartialMatch).",
		FalsePositives: "An exporter whose metrics are its work (kube-state-metrics).",
		Refs: []string{
			"https://prometheus.io/docs/practices/naming/#labels",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"github.com/prometheus/client_golang/prometheus.**",
						"github.com/prometheus/client_model/**",
						"go.opentelemetry.io/otel/sdk/metric/**",
						"github.com/armon/go-metrics/**",
						"github.com/rcrowley/go-metrics/**",
						"k8s.io/component-base/metrics/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.15,
				Medium: 0.3,
			},
			Order:   306,
			AtLeast: 16,
		},
	},
	{
		ID:             "TR617",
		Name:           "queues-kept",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "A heap that is mostly queues",
		Title:          "{culprit} keeps queues of {amount} ({share} of the heap)",
		Why:            "{amount} are channels' buffers, work queues or linked lists that {function} fills: more comes in than goes out, or a buffer was made for far more than is ever there.",
		Fix:            "Make buffers small, let producers wait or drop, see why consumers are slow (a goroutine dump tells).",
		FalsePositives: "A large buffer that is meant so.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/k8s.io/client-go/util/workqueue",
		},
		ProfileDef: ProfileDef{
			Profile: "heap",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"runtime.makechan",
						"runtime.makechan64",
						"k8s.io/client-go/util/workqueue.**",
						"container/list.(*List).**",
						"k8s.io/utils/buffer.**",
						"k8s.io/client-go/tools/record.**",
					},
				},
			},
			Shares: Shares{
				Low:    0.2,
				Medium: 0.4,
			},
			Order:   307,
			AtLeast: 32,
		},
	},
	{
		ID:             "TR618",
		Name:           "strings-allocated",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "Most of what is allocated is short-lived text",
		Title:          "{culprit} allocates {share} of all bytes as text",
		Why:            "{amount} since the program began went into strings made by joining, formatting and converting, for {function} most of all.",
		Fix:            "Join with a strings.Builder that grows once; convert once; build keys as structs; don't make text that nobody reads.",
		FalsePositives: "A program that writes text by profession.",
		Refs: []string{
			"https://pkg.go.dev/strings#Builder",
		},
		ProfileDef: ProfileDef{
			Profile: "allocs",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.concatstring*",
						"runtime.rawstring*",
						"runtime.slicebytetostring",
						"runtime.stringtoslicebyte",
						"strings.(*Builder).**",
						"strings.Join",
						"strings.Split*",
						"strings.Replace*",
						"strings.ToLower",
						"strings.Repeat",
						"fmt.S*",
						"fmt.Errorf",
						"strconv.*",
					},
				},
			},
			Shares: Shares{
				Low:    0.3,
				Medium: 0.5,
			},
			Order:   401,
			AtLeast: 256,
		},
	},
	{
		ID:             "TR619",
		Name:           "encodings-allocated",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "low",
		Finds:          "Most of what is allocated goes into encoding and decoding",
		Title:          "{culprit} allocates {share} of all bytes to encode or decode",
		Why:            "{amount} since the program began were allocated by encoders and decoders, for {function} most of all: each message anew, into maps and interfaces where structs would do.",
		Fix:            "Decode into structs, reuse buffers and messages, stream with Encoder and Decoder, keep results that are asked for again.",
		FalsePositives: "A converter or API server.",
		Refs: []string{
			"https://pkg.go.dev/encoding/json#Decoder",
		},
		ProfileDef: ProfileDef{
			Profile: "allocs",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"encoding/json.**",
						"sigs.k8s.io/json/**",
						"github.com/json-iterator/go.**",
						"google.golang.org/protobuf/**",
						"github.com/golang/protobuf/**",
						"github.com/gogo/protobuf/**",
						"gopkg.in/yaml.v2.**",
						"gopkg.in/yaml.v3.**",
						"sigs.k8s.io/yaml/**",
						"encoding/gob.**",
						"encoding/xml.**",
						"k8s.io/apimachinery/pkg/runtime/serializer/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.35,
				Medium: 0.55,
			},
			Order:   402,
			AtLeast: 256,
		},
	},
	{
		ID:             "TR620",
		Name:           "whole-bodies-read",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Most of what is allocated is bodies and files read whole",
		Title:          "{culprit} allocates {share} of all bytes to read whole bodies",
		Why:            "io.ReadAll begins with 512 bytes and copies to a larger slice again and again: it allocates up to five times what it reads. {function} read {amount} so since the program began.",
		Fix:            "Decode from the reader (json.NewDecoder), copy with io.Copy to where it goes, make the buffer from Content-Length, keep buffers in a pool.",
		FalsePositives: "Few, large reads that must be whole.",
		Refs: []string{
			"https://pkg.go.dev/io#ReadAll",
		},
		ProfileDef: ProfileDef{
			Profile: "allocs",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"io.ReadAll",
						"io/ioutil.ReadAll",
						"os.ReadFile",
						"io/ioutil.ReadFile",
						"bytes.(*Buffer).ReadFrom",
						"bytes.(*Buffer).grow",
						"bytes.growSlice",
						"io.Copy",
						"io.copyBuffer",
					},
				},
			},
			Shares: Shares{
				Low:    0.25,
				Medium: 0.45,
			},
			Order:   300,
			AtLeast: 256,
		},
	},
	{
		ID:             "TR621",
		Name:           "maps-allocated",
		Category:       "memory",
		Severity:       "low",
		Confidence:     "low",
		Finds:          "Most of what is allocated is maps",
		Title:          "{culprit} allocates {share} of all bytes for maps",
		Why:            "{amount} since the program began went into maps that {function} makes and fills step by step, each step twice as large.",
		Fix:            "Make maps with their size, clear() and keep them, or use a slice of pairs where there are few.",
		FalsePositives: "Maps that are kept: look at the heap then.",
		Refs: []string{
			"https://go.dev/blog/swisstable",
		},
		ProfileDef: ProfileDef{
			Profile: "allocs",
			Stacks: []StackMatch{
				{
					At: []string{
						"runtime.mapassign*",
						"runtime.makemap*",
						"internal/runtime/maps.**",
						"runtime.hashGrow",
						"runtime.makeBucketArray",
						"maps.Clone",
					},
				},
			},
			Shares: Shares{
				Low: 0.35,
			},
			Order:   403,
			AtLeast: 256,
		},
	},
	{
		ID:             "TR622",
		Name:           "deep-copies-allocated",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Most of what is allocated is deep copies",
		Title:          "{culprit} allocates {share} of all bytes for deep copies",
		Why:            "{amount} since the program began are copies of whole objects that {function} asked for, of which it changes little as a rule.",
		Fix:            "List without copying (UnsafeDisableDeepCopy) what is only read; copy the one object that is changed.",
		FalsePositives: "Objects that are all changed indeed.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client#UnsafeDisableDeepCopy",
		},
		ProfileDef: ProfileDef{
			Profile: "allocs",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"**.DeepCopy",
						"**.DeepCopyInto",
						"**.DeepCopyObject",
						"**.DeepCopyJSONValue",
						"google.golang.org/protobuf/proto.Clone",
						"github.com/golang/protobuf/proto.Clone",
					},
				},
			},
			Shares: Shares{
				Low:    0.2,
				Medium: 0.4,
			},
			Order:   301,
			AtLeast: 256,
		},
	},
	{
		ID:             "TR623",
		Name:           "logging-allocated",
		Category:       "memory",
		Severity:       "medium",
		Confidence:     "medium",
		Finds:          "Most of what is allocated is log lines",
		Title:          "{culprit} allocates {share} of all bytes to log",
		Why:            "{amount} since the program began were allocated for log lines of {function}, whether or not anybody reads them.",
		Fix:            "Log less there, check Enabled before arguments are made, pass typed fields in place of formatted text.",
		FalsePositives: "A log shipper.",
		Refs: []string{
			"https://pkg.go.dev/log/slog#hdr-Performance_considerations",
		},
		ProfileDef: ProfileDef{
			Profile: "allocs",
			Stacks: []StackMatch{
				{
					Frames: []string{
						"log.*",
						"log/slog.*",
						"go.uber.org/zap/**",
						"github.com/rs/zerolog/**",
						"github.com/sirupsen/logrus/**",
						"k8s.io/klog/**",
						"github.com/go-logr/**",
					},
				},
			},
			Shares: Shares{
				Low:    0.2,
				Medium: 0.4,
			},
			Order:   290,
			AtLeast: 256,
		},
	},
	{
		ID:         "TR401",
		Name:       "nil-channel",
		Category:   "leak",
		Severity:   "medium",
		Confidence: "high",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"nil chan",
				},
				Except: []Match{
					{
						Creator: []string{
							"runtime.*",
						},
					},
					{
						At: []string{
							"k8s.io/client-go/**",
							"k8s.io/apimachinery/**",
							"k8s.io/apiserver/**",
							"sigs.k8s.io/controller-runtime/**",
						},
					},
				},
			},
		},
		When:           "not main and not idle and not (depth == 1 and top matches \"[.]func[0-9.]+$\" and state startsWith \"chan receive\")",
		Finds:          "A goroutine that sends to or receives from a nil channel, which never completes",
		Title:          "{culprit} waits on a nil channel for ever ({file}:{line})",
		Why:            "The runtime says [{state}] of {goroutines} at {file}:{line}{waiting}: a channel that was never made, or was set to nil, so that the operation can't complete and the goroutine, with all it refers to, stays until the process ends.",
		Fix:            "Make the channel before the goroutine that {creator} starts can use it, and don't set it to nil while another goroutine sends or receives; where it is a stop channel that may be missing, return instead of waiting.",
		FalsePositives: "A goroutine that was meant to wait for ever and does so on a nil channel on purpose, a library's unused stop channel for instance.",
		Refs: []string{
			"https://go.dev/ref/spec#Receive_operator",
			"https://go.dev/ref/spec#Send_statements",
		},
	},
	{
		ID:         "TR402",
		Name:       "nil-stop-channel",
		Category:   "leak",
		Severity:   "low",
		Confidence: "medium",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"nil chan",
				},
				Except: []Match{
					{
						Creator: []string{
							"runtime.*",
						},
					},
					{
						At: []string{
							"k8s.io/client-go/**",
							"k8s.io/apimachinery/**",
							"k8s.io/apiserver/**",
							"sigs.k8s.io/controller-runtime/**",
						},
					},
				},
			},
		},
		When:           "not main and not idle and depth == 1 and top matches \"[.]func[0-9.]+$\" and state startsWith \"chan receive\"",
		Finds:          "A closure that waits for a stop signal on a nil channel and will never run what follows",
		Title:          "{culprit} waits for a stop signal that can't come ({file}:{line})",
		Why:            "{goroutines} at {file}:{line} receive from a nil channel and do nothing else. That is what <-ctx.Done() does with context.Background() or context.TODO(), which have no Done channel: what follows, a clean-up as a rule, never runs.",
		Fix:            "Pass {creator} a context that is cancelled when the work ends, signal.NotifyContext's for instance; or don't start the goroutine where there is nothing to wait for.",
		FalsePositives: "Work that lasts as long as the process needs no clean-up: then the goroutine is waste and no fault.",
		Refs: []string{
			"https://pkg.go.dev/context#Context",
		},
	},
	{
		ID:         "TR403",
		Name:       "select-forever",
		Category:   "leak",
		Severity:   "low",
		Confidence: "medium",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select no cases",
				},
				Except: []Match{
					{
						Creator: []string{
							"runtime.*",
						},
					},
				},
			},
		},
		When:           "not main and not idle and not (culprit matches \"(?i)[.](run|serve|start|wait|block|listen|main|forever|keepalive|hang)[a-z]*$\")",
		Finds:          "A goroutine other than main that stands in an empty select",
		Title:          "{culprit} blocks for ever in an empty select ({file}:{line})",
		Why:            "{goroutines} in an empty select at {file}:{line}{waiting}: it never ends, so that what is deferred never runs and what the stack refers to is never freed.",
		Fix:            "Return once the work is done, or wait for something that ends: a context, a channel that the owner closes.",
		FalsePositives: "A goroutine that was meant to keep something alive until the process ends.",
		Refs: []string{
			"https://go.dev/ref/spec#Select_statements",
		},
	},
	{
		ID:         "TR404",
		Name:       "finalizer-stuck",
		Category:   "leak",
		Severity:   "medium",
		Confidence: "medium",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"chan send",
					"select",
					"nil chan",
					"select no cases",
					"mutex",
					"rwmutex read",
					"rwmutex write",
					"waitgroup",
					"cond",
					"semaphore",
					"io",
					"sleep",
				},
				Frames: FramesMatch{
					Any: []string{
						"runtime.runfinq",
						"runtime.runFinalizers",
						"runtime.runCleanups",
					},
				},
				Except: []Match{
					{
						At: []string{
							"runtime.runfinq",
							"runtime.runFinalizers",
							"runtime.runCleanups",
						},
					},
				},
			},
			{
				Class: []stackparse.Class{
					"chan receive",
					"chan send",
					"select",
					"nil chan",
					"select no cases",
					"mutex",
					"rwmutex read",
					"rwmutex write",
					"waitgroup",
					"cond",
					"semaphore",
					"io",
					"sleep",
				},
				Creator: []string{
					"runtime.createfing",
					"runtime.(*cleanupQueue).createGs",
				},
				Except: []Match{
					{
						At: []string{
							"runtime.runfinq",
							"runtime.runFinalizers",
							"runtime.runCleanups",
						},
					},
				},
			},
		},
		When:           "minutes.max >= 1 or class in [\"nil chan\", \"select no cases\"]",
		Finds:          "A finalizer or cleanup that blocks, so that no other finalizer can run",
		Title:          "{culprit} blocks the finalizer goroutine ({file}:{line})",
		Why:            "The goroutine that runs all finalizers of the process stands at {file}:{line} in [{class}]{waiting}. Finalizers run one after the other: until this one returns, no other object with a finalizer is freed, nor what it refers to.",
		Fix:            "Let the finalizer only hand its work on (start a goroutine, or send without blocking), or free the resource in a Close method and keep the finalizer as a safety net.",
		FalsePositives: "A finalizer that was caught in a long but finite wait: a second dump, minutes later, shows it gone.",
		Next: []string{
			"dump",
		},
		Refs: []string{
			"https://pkg.go.dev/runtime#SetFinalizer",
			"https://pkg.go.dev/runtime#AddCleanup",
		},
	},
	{
		ID:         "TR405",
		Name:       "proven-leak",
		Category:   "leak",
		Severity:   "medium",
		Confidence: "high",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"chan send",
					"select",
					"mutex",
					"rwmutex read",
					"rwmutex write",
					"waitgroup",
					"cond",
					"semaphore",
					"other",
				},
				Leaked: true,
			},
		},
		Finds:          "Goroutines of which the garbage collector proved that nothing can wake them",
		Title:          "{culprit} leaks {goroutines} ({file}:{line})",
		Why:            "The runtime marks {goroutines} at {file}:{line} as leaked: in [{class}], and no goroutine that can still run holds a reference to what they wait for. {creator} started them.",
		Fix:            "Make sure that the other side always comes: close the channel on every way out of {creator}, give it a buffer for the answer that nobody may wait for, or wait for a context too.",
		FalsePositives: "None known: the detector reports only what is unreachable.",
		Refs: []string{
			"https://go.dev/doc/go1.26",
		},
	},
}

// builtinDocs are their documentation, in the same order. Nothing changes them.
var builtinDocs = []Doc{
	{
		Title:          "Goroutines that wait for each other to log",
		Why:            "A logger holds its lock while it writes, so that a slow terminal, disk or pipe stops everybody who logs. an amount were waited behind log lines, those of the culprit most of all.",
		Fix:            "Log less there; write through a buffer that is flushed in the background (zapcore.BufferedWriteSyncer, a bufio.Writer with a ticker); never log to a console in production.",
		FalsePositives: "A burst of lines at the start.",
		Refs: []string{
			"https://pkg.go.dev/go.uber.org/zap/zapcore#BufferedWriteSyncer",
		},
	},
	{
		Title:          "A writer of a read-write lock that makes all readers wait",
		Why:            "While a writer waits for or holds an RWMutex, no reader gets in. the culprit was waited for during an amount in all, a share of what is waited for locks.",
		Fix:            "Prepare the new state without the lock and hold it only to swap; put the state behind an atomic.Pointer; write in batches.",
		FalsePositives: "A profile since the start of a process that ran for weeks: seconds are little then.",
		Refs: []string{
			"https://pkg.go.dev/sync#RWMutex",
		},
	},
	{
		Title:          "Contention for the runtime's own locks",
		Why:            "a share of the time waited is for locks inside the runtime: a channel that many use, timers, the allocator for large objects, the scheduler.",
		Fix:            "One channel for each worker or batches over it; fewer timers; reused buffers; a GOMAXPROCS that fits the CPU limit.",
		FalsePositives: "Microseconds each, over weeks.",
		Refs: []string{
			"https://pkg.go.dev/runtime#SetMutexProfileFraction",
		},
	},
	{
		Title:          "Contention for a lock inside a library that everybody shares",
		Why:            "a share of the time waited is for a lock inside a library or the standard library, taken for the culprit most of all: one generator, pool, file or registry for all goroutines.",
		Fix:            "Give each worker its own, or keep what the lock guards (a metric's child, a random generator of math/rand/v2, a buffered writer).",
		FalsePositives: "A profile since the start of a process that ran for weeks: seconds are little then.",
		Refs: []string{
			"https://pkg.go.dev/math/rand/v2",
		},
	},
	{
		Title:          "The holder of the lock that others wait for most",
		Why:            "the culprit held the lock while others waited for it, an amount in all: a share of what is waited for locks. The stack is the holder's, at its Unlock.",
		Fix:            "Do less under the lock: no I/O, encoding or logging; take what is needed, unlock, then work. Split the lock by key, or let one goroutine own the data.",
		FalsePositives: "A profile since the start of a process that ran for weeks: seconds are little then.",
		Refs: []string{
			"https://pkg.go.dev/runtime#SetMutexProfileFraction",
		},
	},
	{
		Title:          "Goroutines that wait for a connection of a pool",
		Why:            "an amount were waited until a pool had a connection to give, for the culprit most of all: all of them are in use, or kept by somebody who did not give them back.",
		Fix:            "See who holds them (rows and bodies that are not closed, transactions over other calls); then raise the limit (SetMaxOpenConns, MaxConnsPerHost) or bound what asks.",
		FalsePositives: "A limit that is meant to make callers wait.",
		Refs: []string{
			"https://pkg.go.dev/database/sql#DB.SetMaxOpenConns",
		},
	},
	{
		Title:          "Goroutines that wait for a rate limiter or semaphore of their own program",
		Why:            "an amount were waited for a limit that the program set itself: client-go's default of 5 requests a second, for instance. the culprit waited most.",
		Fix:            "Ask for less (a cache in place of live reads), or raise the limit: rest.Config's QPS and Burst, and let the API server's fairness do the rest.",
		FalsePositives: "A limit that is meant.",
		Refs: []string{
			"https://pkg.go.dev/k8s.io/client-go/rest#Config",
		},
	},
	{
		Title:          "Goroutines that wait for locks",
		Why:            "an amount were waited in Lock, a share of all blocking, by the culprit most of all. A block profile shows who waits; who holds the lock stands in a mutex profile or a dump.",
		Fix:            "Find the holder: a mutex profile (runtime.SetMutexProfileFraction(100)) or a goroutine dump. Then do less under the lock, or split it.",
		FalsePositives: "A profile since the start of a process that ran for weeks: seconds are little then.",
		Refs: []string{
			"https://pkg.go.dev/runtime#SetBlockProfileRate",
		},
	},
	{
		Title:          "Producers that wait for a slow consumer",
		Why:            "an amount were waited to send, a share of all blocking, by the culprit most of all: whoever receives is slower than what is sent.",
		Fix:            "Make the consumer faster or let there be more of them; send batches; bound or drop what comes in.",
		FalsePositives: "A channel that is meant to hold the producer back.",
		Refs: []string{
			"https://go.dev/blog/pipelines",
		},
	},
	{
		Title:          "Most blocking is waiting for groups of goroutines",
		Why:            "a share of all blocking is in Wait: each round of the culprit takes as long as its slowest goroutine.",
		Fix:            "Give the slowest a deadline, hand out work one by one in place of in equal parts, don't wait where no result is needed.",
		FalsePositives: "A batch job that is meant to wait; main that waits for the end.",
		Refs: []string{
			"https://pkg.go.dev/sync#WaitGroup",
		},
	},
	{
		Title:          "A hundred goroutines or more that wait for a lock in one place, a fifth of all",
		Why:            "N goroutines stand in Lock at FILE:LINE. A lock that is held for microseconds has a handful of goroutines waiting: whoever holds it is slow, or never gives it back. A profile doesn't tell who that is.",
		Fix:            "Take a dump with goroutine?debug=2, which tells how long they wait and where the holder stands. Then do less under the lock, and nothing that waits.",
		FalsePositives: "A burst that is over a second later: a second profile tells.",
		Refs: []string{
			"https://pkg.go.dev/runtime/pprof#Profile",
		},
	},
	{
		Title:          "A process most of whose goroutines are its connections as an HTTP client",
		Why:            "N goroutines write the connections of HTTP clients, as many read them, and next to nothing else is there. Connections that are kept are few where one Transport is shared: so many mean a Transport for each request, or bodies that are not closed.",
		Fix:            "Share one http.Client and Transport; close every response's body; set IdleConnTimeout.",
		FalsePositives: "A load generator, a crawler, or a proxy to very many hosts that is idle otherwise.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Transport",
		},
	},
	{
		Title:          "CPU spent on generating private keys again and again",
		Why:            "A private key is made once and kept; a program that shows it in a profile makes one after another. An RSA key of 2,048 bits takes some 50 ms of CPU, one of 4,096 bits up to seconds; the culprit asks for them during a share of all CPU.",
		Fix:            "Make the key once and keep it: in memory by cluster, host or secret, or in the Secret that holds the certificate, and make a new one only when that is missing or about to expire. Where many are needed, prefer ECDSA or Ed25519, which take a thousandth of RSA's time.",
		FalsePositives: "A certificate authority or a key server, whose work this is; a test; a process that has only just started.",
		Refs: []string{
			"https://github.com/kubernetes-sigs/cluster-api/issues/8602",
			"https://pkg.go.dev/crypto/rsa#GenerateKey",
		},
	},
	{
		Title:          "CPU spent on issuing certificates again and again",
		Why:            "x509.CreateCertificate signs and then verifies its own signature, which for an ECDSA key is 92 % of what key and certificate cost together. the culprit calls it often enough to be seen in a profile: it does not keep what it issued.",
		Fix:            "Keep the certificate with its key (tls.Certificate) by the name that it was issued for, and issue it anew only shortly before NotAfter.",
		FalsePositives: "A certificate authority or an intercepting proxy with ever new names: there a cache by name and a cheaper key type help.",
		Refs: []string{
			"https://pkg.go.dev/crypto/x509#CreateCertificate",
		},
	},
	{
		Title:          "CPU spent on TLS handshakes, because connections are not kept",
		Why:            "A handshake costs as much as thousands of requests over a connection that is there. a share of CPU in handshakes means that connections are made and dropped: a Transport or client of its own for each request, bodies that are not read to their end and closed, more idle connections than MaxIdleConnsPerHost (2) keeps, or clients of this server that do so.",
		Fix:            "Keep one http.Client and Transport for a host and share it; read bodies to the end and close them; raise MaxIdleConnsPerHost to the number of concurrent requests. On a server, allow keep-alive and session tickets.",
		FalsePositives: "A scanner or proxy that sees every host once; a server whose clients are many and each come once.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Transport",
		},
	},
	{
		Title:          "CPU spent on parsing the same certificates and keys again and again",
		Why:            "The system's pool has some 140 roots, and parsing a key checks it. Both change once in months, while the culprit parses them for a share of all CPU: for each request or each client that it makes.",
		Fix:            "Build the pool or the tls.Config once and share it; reload only when the file has changed.",
		FalsePositives: "A tool that reads certificates by profession.",
		Refs: []string{
			"https://pkg.go.dev/crypto/x509#CertPool",
		},
	},
	{
		Title:          "CPU spent on verifying certificate chains outside handshakes",
		Why:            "Each verification checks one signature for each link of the chain. the culprit verifies outside a handshake, and the same few certificates again as a rule.",
		Fix:            "Keep the result by the certificate's hash until its NotAfter, or verify when the certificate changes and not when it is used.",
		FalsePositives: "A gateway that must check ever new client certificates.",
		Refs: []string{
			"https://pkg.go.dev/crypto/x509#Certificate.Verify",
		},
	},
	{
		Title:          "CPU spent on signing, with RSA as a rule",
		Why:            "One RSA-2048 signature takes about a millisecond of CPU, ECDSA P-256 about 20 µs. the culprit makes enough of them for a share of all CPU: one a request.",
		Fix:            "Sign a token once and hand it out until shortly before it expires; use ECDSA or Ed25519 keys, which sign thirty times faster than RSA.",
		FalsePositives: "A token issuer or a blockchain node, whose work this is: then the key type is what can be changed.",
		Refs: []string{
			"https://pkg.go.dev/crypto/rsa#SignPKCS1v15",
		},
	},
	{
		Title:          "CPU spent on verifying signatures, of tokens as a rule",
		Why:            "the culprit verifies signatures during a share of all CPU: where these are tokens, the same one is verified with each request that carries it. ECDSA P-256 takes about 60 µs a signature, RSA-2048 about 25 µs.",
		Fix:            "Keep verified tokens by their hash until they expire, bounded; verify in batches where the scheme allows it.",
		FalsePositives: "A node that must check ever new signatures.",
		Refs: []string{
			"https://pkg.go.dev/crypto/ecdsa#VerifyASN1",
		},
	},
	{
		Title:          "CPU spent on password hashes, one a request",
		Why:            "Password hashes are slow on purpose: bcrypt at cost 10 takes some 50 ms of CPU. the culprit computes one where a session or token would do: with basic authentication, for every request.",
		Fix:            "Check the password once, at login, and go on with a session or token; or keep the result of a check for some minutes by a keyed hash of the credentials.",
		FalsePositives: "Real logins, many of them: then this is the price, or somebody tries passwords.",
		Refs: []string{
			"https://pkg.go.dev/golang.org/x/crypto/bcrypt",
		},
	},
	{
		Title:          "CPU spent on reading small amounts of secure random bytes",
		Why:            "Each read of crypto/rand asks the kernel (since Linux 6.11 and Go 1.24 its vDSO): for 16 bytes that costs a hundred times what math/rand/v2 does. the culprit reads little and often.",
		Fix:            "Where the numbers are no secret (ids of requests, jitter, sampling), use math/rand/v2, which is seeded securely. Where they are, read a few kilobytes at a time through a bufio.Reader that is kept.",
		FalsePositives: "Keys and tokens need these bytes; then read them in larger pieces.",
		Refs: []string{
			"https://pkg.go.dev/crypto/rand",
			"https://pkg.go.dev/math/rand/v2",
		},
	},
	{
		Title:          "CPU spent on hashing data",
		Why:            "the culprit hashes so much that it takes a share of all CPU: whole objects or files on every pass as a rule, to see whether they changed.",
		Fix:            "Hash less: compare resourceVersion, generation, size and modification time first, and keep the hash beside the data. Where nobody attacks the hash, maphash or xxhash is ten times faster than SHA-256.",
		FalsePositives: "Content-addressed storage, registries and checksumming tools hash by profession.",
		Refs: []string{
			"https://pkg.go.dev/hash/maphash",
		},
	},
	{
		Title:          "CPU spent on encrypting and decrypting data",
		Why:            "a share of all CPU goes into ciphers that the culprit calls. With AES instructions a core encrypts over 2 GB a second; without them, or with small pieces and a new cipher for each, a twentieth of that.",
		Fix:            "Keep the cipher.AEAD for a key, encrypt in pieces of several kilobytes, compress first; on machines without AES instructions take ChaCha20-Poly1305.",
		FalsePositives: "Proxies and tunnels encrypt by profession.",
		Refs: []string{
			"https://pkg.go.dev/crypto/cipher",
		},
	},
	{
		Title:          "CPU spent on arithmetic with big numbers",
		Why:            "math/big allocates for most results, and its division and decimal conversion grow with the square of the length. the culprit computes with it for a share of all CPU.",
		Fix:            "Reuse the receiver (z.Add(x, y)) instead of new(big.Int); use uint64, a fixed-width type or scaled integers where the range allows.",
		FalsePositives: "Cryptography and exact arithmetic that need the range.",
		Refs: []string{
			"https://pkg.go.dev/math/big",
		},
	},
	{
		Title:          "CPU spent on logging",
		Why:            "90 in 100 real CPU profiles have under 1 % in their loggers. the culprit logs for a share of all CPU: a line for each item or step, objects printed whole, or options that make every line dear: the caller's file and line (a stack walk) or stack traces.",
		Fix:            "Log less at this place: once for a batch, or at a level that is off; check Enabled before arguments are made; sample; drop AddSource, AddCaller, Lshortfile and stack traces below error.",
		FalsePositives: "A program that is about logs: a shipper that logs what it ships.",
		Refs: []string{
			"https://pkg.go.dev/log/slog#hdr-Performance_considerations",
		},
	},
	{
		Title:          "CPU spent on capturing stack traces",
		Why:            "A stack trace walks every frame and looks each up in the tables of the binary: microseconds, with runtime.Stack's text tens of them. the culprit takes them on a path that runs often.",
		Fix:            "Make plain errors (errors.New at package level, fmt.Errorf with %w) where they are expected, and keep stacks for what nobody expected; pass the name instead of asking runtime.Caller for it.",
		FalsePositives: "A tracer or profiler of its own.",
		Refs: []string{
			"https://pkg.go.dev/runtime#Callers",
		},
	},
	{
		Title:          "CPU spent on deep copies of objects",
		Why:            "A deep copy allocates each map, slice and pointer anew: a Pod has hundreds. the culprit copies for a share of all CPU, whole lists as a rule, of which it changes little.",
		Fix:            "Read from the cache without copying (UnsafeDisableDeepCopy for lists that are only read), and copy the one object that will be changed, just before it is.",
		FalsePositives: "Objects that are all changed indeed.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client#UnsafeDisableDeepCopy",
		},
	},
	{
		Title:          "CPU spent on comparing objects by reflection",
		Why:            "reflect.DeepEqual and equality.Semantic walk both objects by reflection, 10 to 100 times slower than comparing fields. the culprit does so for a share of all CPU: every object on every pass as a rule.",
		Fix:            "Compare what tells first: resourceVersion, generation, a hash kept beside the object; compare the few fields that matter by hand; let event filters (GenerationChangedPredicate) drop what did not change.",
		FalsePositives: "A tool that compares by profession.",
		Refs: []string{
			"https://pkg.go.dev/reflect#DeepEqual",
		},
	},
	{
		Title:          "CPU spent on YAML",
		Why:            "YAML costs ten times what JSON does. the culprit reads or writes it for a share of all CPU, the same manifests or configuration as a rule.",
		Fix:            "Parse once and keep the result; keep a hash of the text to see whether it changed; between programs use JSON.",
		FalsePositives: "A tool that renders manifests by profession.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/yaml",
		},
	},
	{
		Title:          "CPU spent on gob",
		Why:            "Every new gob encoder sends the types again and every decoder compiles them: for one value that is most of the cost. the culprit spends a share of all CPU so; often gob serves as a deep copy there.",
		Fix:            "Keep one encoder and decoder for a connection or file. To copy values, write a method that copies, or use maps.Clone and slices.Clone.",
		FalsePositives: "A long stream that goes through one encoder.",
		Refs: []string{
			"https://pkg.go.dev/encoding/gob",
		},
	},
	{
		Title:          "CPU spent on JSON",
		Why:            "90 in 100 real CPU profiles have under 4 % in JSON. the culprit encodes or decodes for a share of all CPU.",
		Fix:            "Decode into structs that hold only the fields that are used, keep the rest as json.RawMessage, and decode streams with a Decoder; encode once and keep the bytes for equal answers; for Kubernetes clients set ContentType to application/vnd.kubernetes.protobuf for built-in types.",
		FalsePositives: "An API server or converter whose work this is: then a faster encoder is what remains.",
		Refs: []string{
			"https://pkg.go.dev/encoding/json",
		},
	},
	{
		Title:          "CPU spent on protobuf",
		Why:            "90 in 100 real CPU profiles have under 3 % in protobuf. the culprit encodes or decodes for a share of all CPU.",
		Fix:            "Send less and in larger messages; keep encoded bytes for what is sent again; reuse messages (proto.Reset) and generate code without reflection (vtprotobuf) for the hot types.",
		FalsePositives: "A proxy or storage whose work this is.",
		Refs: []string{
			"https://protobuf.dev/reference/go/faq/",
		},
	},
	{
		Title:          "CPU spent on XML, CSV, MessagePack, BSON, base64 and the like",
		Why:            "the culprit encodes or decodes for a share of all CPU. encoding/xml and encoding/binary.Read work by reflection, ten times slower than code that knows the type.",
		Fix:            "Parse once and keep the result; use binary.BigEndian's methods or generated code in place of reflection; read only what is used.",
		FalsePositives: "A converter whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/encoding/binary",
		},
	},
	{
		Title:          "CPU spent on formatting with fmt",
		Why:            "fmt looks at each argument by reflection and puts it on the heap; %v and %#v of a struct walk all of it. Half of the real CPU profiles have 0.1 % there, the culprit a share.",
		Fix:            "Build keys and short texts with string concatenation, strconv.Append… or a strings.Builder; use a struct as map key in place of a formatted one; don't print whole objects; make the text only where somebody reads it.",
		FalsePositives: "A program that writes text by profession.",
		Refs: []string{
			"https://pkg.go.dev/strconv#AppendInt",
		},
	},
	{
		Title:          "CPU spent on reflection",
		Why:            "95 in 100 real CPU profiles have under 4 % in reflection of their own. the culprit has a share: fields looked up by name, values boxed and unboxed, methods called by name.",
		Fix:            "Look fields up once for a type and keep their index; generate code, or use type parameters or an interface, for the hot types.",
		FalsePositives: "A general mapper whose work this is.",
		Refs: []string{
			"https://go.dev/blog/laws-of-reflection",
		},
	},
	{
		Title:          "CPU spent on sorting",
		Why:            "95 in 100 real CPU profiles have under 3 % there. the culprit sorts for a share of all CPU: the same data after each small change as a rule, or with sort.Slice, whose swaps go through reflection.",
		Fix:            "Keep the data sorted (slices.BinarySearch and Insert, a tree or heap), sort once at the end, take the smallest few without sorting all; use slices.SortFunc, which is two to three times as fast as sort.Slice.",
		FalsePositives: "A program that sorts by profession.",
		Refs: []string{
			"https://pkg.go.dev/slices#SortFunc",
		},
	},
	{
		Title:          "CPU spent on matching regular expressions",
		Why:            "Go's regexp runs in linear time and is slow at it: some 30 ns a byte where it must backtrack or follow several ways at once. the culprit matches for a share of all CPU.",
		Fix:            "Ask strings.Contains, HasPrefix or an index by the literal part first; anchor expressions and drop captures that nobody reads; join many alternatives into one map look-up; keep results for inputs that come again.",
		FalsePositives: "A scanner or log parser whose work this is.",
		Refs: []string{
			"https://swtch.com/~rsc/regexp/regexp3.html",
		},
	},
	{
		Title:          "CPU spent on compressing and decompressing",
		Why:            "Go's gzip writes some 30 to 100 MB a second and core at the default level. 90 in 100 real CPU profiles have under 3 % there, the culprit a share.",
		Fix:            "Compress once and keep the result; take level 1 or zstd for what is sent only once; don't compress what is small or compressed already; on a fast network don't compress.",
		FalsePositives: "Registries, backup and image tools compress by profession.",
		Refs: []string{
			"https://pkg.go.dev/github.com/klauspost/compress",
		},
	},
	{
		Title:          "CPU spent on executing templates",
		Why:            "Templates are interpreted by reflection, and html/template escapes each value for its place. the culprit executes them for a share of all CPU.",
		Fix:            "Keep rendered text for equal data; take what does not change out of loops; write the hottest text with code.",
		FalsePositives: "A renderer whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/html/template",
		},
	},
	{
		Title:          "CPU spent on formatting and parsing times",
		Why:            "A time formatted or parsed takes 100 to 300 ns. the culprit does it for a share of all CPU: to compare or to key by the text as a rule.",
		Fix:            "Keep times as time.Time or as Unix numbers and compare those; format the second once and append the rest.",
		FalsePositives: "A parser of logs whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/time#Time.Compare",
		},
	},
	{
		Title:          "CPU spent on looking metrics up by their labels",
		Why:            "WithLabelValues hashes all labels and takes a lock; With makes a map besides. the culprit does it for each event, a share of all CPU, for labels that hardly change.",
		Fix:            "Look the child metric up once (c := vec.WithLabelValues(\"read\")) and keep it; for labels from requests, bound their number.",
		FalsePositives: "Labels that differ with every event: then there are too many.",
		Refs: []string{
			"https://pkg.go.dev/github.com/prometheus/client_golang/prometheus#CounterVec.WithLabelValues",
		},
	},
	{
		Title:          "CPU spent in chains of contexts",
		Why:            "ctx.Value walks from context to context until it finds the key, and cancellation registers with a parent under its lock. the culprit does so for a share of all CPU: a deep chain, asked for each item.",
		Fix:            "Take values out of the context once and pass them on; put one struct in place of many values; make a context for a batch, not for each item.",
		FalsePositives: "None known above a tenth of all CPU.",
		Refs: []string{
			"https://pkg.go.dev/context#WithValue",
		},
	},
	{
		Title:          "CPU spent on assertions of interface types",
		Why:            "Asking whether a value has an interface's methods looks it up in a table of the runtime, and computes it where it has not. the culprit asks for a share of all CPU.",
		Fix:            "Ask once for a value and keep the answer; switch on concrete types, which compare a pointer; use type parameters.",
		FalsePositives: "None known at this share.",
		Refs: []string{
			"https://go.dev/ref/spec#Type_assertions",
		},
	},
	{
		Title:          "CPU spent on turning rows into values",
		Why:            "database/sql converts each column by reflection, mappers add their own. the culprit reads rows for a share of all CPU: more than it needs as a rule.",
		Fix:            "Ask for the columns and rows that are used, count and sum in the database, page through large results, keep what hardly changes.",
		FalsePositives: "An exporter whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/database/sql#Rows.Scan",
		},
	},
	{
		Title:          "CPU spent on headers and URLs",
		Why:            "Headers are brought into canonical form with each Get and Set, and URL.Query parses the query anew with each call. the culprit does so for a share of all CPU.",
		Fix:            "Write header names in canonical form, parse a URL's query once, clone headers once.",
		FalsePositives: "Proxies that rewrite headers by profession.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Header",
		},
	},
	{
		Title:          "CPU spent on joining strings piece by piece",
		Why:            "s += t copies all of s each time: n pieces cost n² bytes, in copying, in allocation and in collection. the culprit does it for a share of all CPU.",
		Fix:            "Use a strings.Builder (Grow it where the length is known) or strings.Join.",
		FalsePositives: "Many short strings that are each joined once: then it is their number.",
		Refs: []string{
			"https://pkg.go.dev/strings#Builder",
		},
	},
	{
		Title:          "CPU spent on converting between strings and byte slices",
		Why:            "Each conversion between string and []byte copies the data to a new place. the culprit converts for a share of all CPU.",
		Fix:            "Stay with one of them: package bytes has what strings has; append writes strings into byte slices; io.WriteString, Builder.Write and map[string(b)] don't copy.",
		FalsePositives: "Data that must be kept beyond its buffer.",
		Refs: []string{
			"https://pkg.go.dev/bytes",
		},
	},
	{
		Title:          "CPU spent on growing maps step by step",
		Why:            "A map that is filled from empty doubles again and again, and each time its entries are hashed and moved. the culprit fills maps so for a share of all CPU.",
		Fix:            "Make the map with its size (make(map[K]V, n)), or keep and clear() it for the next round.",
		FalsePositives: "Maps whose size nobody can know.",
		Refs: []string{
			"https://go.dev/blog/swisstable",
		},
	},
	{
		Title:          "CPU spent on looking things up in maps",
		Why:            "90 in 100 real CPU profiles have under 11 % in maps. the culprit reads, fills or walks them for a share of all CPU.",
		Fix:            "Use smaller keys (an integer or a small struct in place of text or interfaces), a slice where keys are dense, one look-up in place of two, and keep what is walked often in a slice beside the map.",
		FalsePositives: "An index whose work this is.",
		Refs: []string{
			"https://go.dev/blog/swisstable",
		},
	},
	{
		Title:          "CPU spent on growing slices step by step",
		Why:            "append copies a slice to a place of up to twice the size each time that it is full. 95 in 100 real CPU profiles have under 4 % there, the culprit a share.",
		Fix:            "Make the slice with its capacity (make([]T, 0, n)), Grow the buffer, or keep it for the next round (s = s[:0]).",
		FalsePositives: "Slices whose length nobody can know.",
		Refs: []string{
			"https://go.dev/blog/slices-intro",
		},
	},
	{
		Title:          "CPU spent on copying memory",
		Why:            "95 in 100 real CPU profiles have under 5 % in memmove. the culprit copies for a share of all CPU: whole buffers, large structs by value, or the rest of a slice with each insertion.",
		Fix:            "Pass a slice or pointer on in place of a copy; take large structs by pointer; replace rather than shift; copy on change only.",
		FalsePositives: "Copies that other goroutines need.",
		Refs: []string{
			"https://go.dev/wiki/SliceTricks",
		},
	},
	{
		Title:          "CPU spent on making and clearing large buffers",
		Why:            "Every new slice is cleared, and those above 32 kB come from the heap's own lock, not from a goroutine's cache. the culprit makes large ones for a share of all CPU, used once each.",
		Fix:            "Keep buffers: one for a goroutine, or a sync.Pool of *[]byte; make them as large as the data and not larger.",
		FalsePositives: "Buffers that are kept and filled.",
		Refs: []string{
			"https://pkg.go.dev/sync#Pool",
		},
	},
	{
		Title:          "CPU spent on comparing strings one after the other",
		Why:            "a share of all CPU compares strings or searches in them for the culprit: a list that is gone through for each item, so that twice the items cost four times.",
		Fix:            "Put what is looked up into a map or a set, or sort it and use slices.BinarySearch; intern strings that are compared often.",
		FalsePositives: "A search program.",
		Refs: []string{
			"https://pkg.go.dev/slices#BinarySearch",
		},
	},
	{
		Title:          "CPU spent on splitting, joining and converting text",
		Why:            "95 in 100 real CPU profiles have under 14 % in strings and bytes together. the culprit splits, joins or converts text for a share of all CPU.",
		Fix:            "Use strings.Cut or SplitSeq in place of Split where only a part is needed, keep the parsed form, make a Replacer once.",
		FalsePositives: "A parser whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/strings#Cut",
		},
	},
	{
		Title:          "CPU spent on allocating and collecting memory",
		Why:            "Half of the real CPU profiles have under 17 % in allocation and collection, 90 in 100 under 38 %. Here it is a share. Most of what is allocated outside what other rules name is allocated in the culprit.",
		Fix:            "Allocate less where most is allocated: reuse buffers, preallocate, avoid interfaces and closures in hot loops, return values in place of pointers. Then let the heap grow: GOMEMLIMIT at nine tenths of the container's limit with a larger GOGC.",
		FalsePositives: "A process under a load of short-lived objects that it can afford.",
		Refs: []string{
			"https://go.dev/doc/gc-guide",
		},
	},
	{
		Title:          "Goroutines that must help the collector because it can't keep up",
		Why:            "A goroutine that allocates faster than the collector marks must mark itself before it goes on. 41 real CPU profiles have 2.6 % there at most; a share means that the heap stands at its limit (GOMEMLIMIT) or grows in bursts.",
		Fix:            "Raise GOMEMLIMIT and the container's limit, or shrink what is kept and what is allocated; with a small live heap raise GOGC.",
		FalsePositives: "A short burst of allocation: a start, a large import.",
		Refs: []string{
			"https://go.dev/doc/gc-guide#Memory_limit",
		},
	},
	{
		Title:          "A program that runs the garbage collector itself, again and again",
		Why:            "runtime.GC and debug.FreeOSMemory collect all of the heap at once and make the caller wait. The work runs on the collector's own stacks, so that few samples show who asked; those that do name the culprit.",
		Fix:            "Remove the call. The collector runs when the heap has grown; to keep memory low set GOMEMLIMIT.",
		FalsePositives: "A benchmark or test; a collection once, behind a large import.",
		Refs: []string{
			"https://pkg.go.dev/runtime#GC",
		},
	},
	{
		Title:          "CPU spent on giving memory back to the system and taking it again",
		Why:            "a share of all CPU returns freed pages to the kernel, which hands them out again, cleared, a moment later: the heap swings, or stands at GOMEMLIMIT.",
		Fix:            "Even the swings out: smaller batches, reused buffers; raise GOMEMLIMIT or set GOGC higher so that the heap keeps its size.",
		FalsePositives: "A process that has just become idle.",
		Refs: []string{
			"https://go.dev/doc/gc-guide",
		},
	},
	{
		Title:          "CPU spent on growing goroutines' stacks",
		Why:            "A goroutine begins with a small stack, which is copied to one of twice the size each time it is full. the culprit makes goroutines or recursions that need large ones, over and over: 95 in 100 real CPU profiles have under 5 % there.",
		Fix:            "Keep goroutines that work deeply (a pool of workers) in place of new ones; make recursions loops; keep large arrays off the stack.",
		FalsePositives: "A short burst of new goroutines.",
		Refs: []string{
			"https://go.dev/doc/go1.19#runtime",
		},
	},
	{
		Title:          "CPU spent on panics that are recovered",
		Why:            "A panic walks the stack and runs its deferred calls: microseconds, 100 times what returning an error costs. the culprit does it so often that a share of all CPU goes there; 41 real profiles have 0.1 % at most.",
		Fix:            "Return errors. Check for nil, bounds and types before; look into what panics if nobody meant it to: recovered panics hide crashes.",
		FalsePositives: "Parsers that leave deep recursion by panic, once an input.",
		Refs: []string{
			"https://go.dev/blog/defer-panic-and-recover",
		},
	},
	{
		Title:          "CPU spent on starting and ending goroutines",
		Why:            "A goroutine costs about 300 ns to start and end, and wakes other threads besides. the culprit starts one for so little work that a share of all CPU goes into that.",
		Fix:            "Give each goroutine a piece of the work, as many as there are processors, or use a fixed number of workers (errgroup.SetLimit).",
		FalsePositives: "A benchmark of goroutines.",
		Refs: []string{
			"https://pkg.go.dev/golang.org/x/sync/errgroup#Group.SetLimit",
		},
	},
	{
		Title:          "CPU spent on finalizers",
		Why:            "A finalizer keeps its object for another collection, is registered under a lock and run one after the other. the culprit sets them for objects that are many and short-lived; net.Conn and os.File have them too.",
		Fix:            "Close what is opened, and set no finalizers on small objects; keep connections and files open in place of making new ones.",
		FalsePositives: "Bindings to C that must free what C allocated.",
		Refs: []string{
			"https://go.dev/doc/gc-guide#Finalizers_cleanups_and_weak_pointers",
		},
	},
	{
		Title:          "CPU spent on measuring the process itself",
		Why:            "runtime.ReadMemStats stops all goroutines, and /proc is text that the kernel writes anew with each read. the culprit measures for a share of all CPU.",
		Fix:            "Read runtime/metrics, which does not stop the world, a few times a minute and not for each request.",
		FalsePositives: "A monitoring agent whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/runtime/metrics",
		},
	},
	{
		Title:          "CPU spent in C code, which a Go profile can't look into",
		Why:            "a share of all CPU is spent below cgo calls of the culprit; the profile ends at the call. A call itself costs some 40 ns.",
		Fix:            "Look below with perf or an eBPF profiler; where calls are short and many, hand over work in batches.",
		FalsePositives: "A program that is a shell around a C library (SQLite, DuckDB, RocksDB) spends its time there.",
		Refs: []string{
			"https://pkg.go.dev/cmd/cgo",
		},
	},
	{
		Title:          "A program that was built with the race detector or a sanitizer",
		Why:            "The runtime's hooks for the race detector (go build -race) or a C sanitizer are in the profile: the program runs 2 to 20 times slower and takes 5 to 10 times the memory.",
		Fix:            "Build what runs in production without -race, -asan and -msan.",
		FalsePositives: "A test environment where it is meant so.",
		Refs: []string{
			"https://go.dev/doc/articles/race_detector",
		},
	},
	{
		Title:          "CPU spent by profilers and tracers",
		Why:            "a share of the samples are the profiler's own work: what is left is smaller than it looks, or something else is profiled all the time.",
		Fix:            "Profile longer and one thing at a time; take goroutine dumps of large processes rarely; turn continuous profilers' rates down.",
		FalsePositives: "A short profile of an idle process: nothing else was there.",
		Refs: []string{
			"https://pkg.go.dev/runtime/pprof",
		},
	},
	{
		Title:          "CPU spent on compiling regular expressions again and again",
		Why:            "Compiling an expression costs as much as hundreds of matches. the culprit compiles during a share of all CPU, which is each time that it is called; regexp.MatchString does so too.",
		Fix:            "Compile into a package-level variable (var hostRE = regexp.MustCompile(…)), or keep compiled expressions by their text where they come from users; for a fixed text use strings.Contains, HasPrefix or Cut.",
		FalsePositives: "Ever new expressions from users; a profile of the first seconds of a process.",
		Refs: []string{
			"https://pkg.go.dev/regexp#MustCompile",
		},
	},
	{
		Title:          "CPU spent on parsing the same templates again and again",
		Why:            "A parsed template can be executed by any number of goroutines. the culprit parses it anew each time, and html/template then escapes it anew as well.",
		Fix:            "Parse once, at start-up or into a package-level variable (template.Must), and only execute afterwards.",
		FalsePositives: "Templates that users send and that are each executed once.",
		Refs: []string{
			"https://pkg.go.dev/text/template",
		},
	},
	{
		Title:          "CPU spent on loading the same time zones again and again",
		Why:            "time.LoadLocation opens and parses the zone's file with every call; nothing keeps the result. the culprit calls it where it formats or compares times.",
		Fix:            "Load each zone once and keep the *time.Location: in a package-level variable, or in a sync.Map by name.",
		FalsePositives: "None known: a location never changes while a program runs.",
		Refs: []string{
			"https://pkg.go.dev/time#LoadLocation",
		},
	},
	{
		Title:          "CPU spent on seeding random number generators again and again",
		Why:            "math/rand's source fills a table of 607 numbers from its seed, some 10 µs. the culprit makes a source for a few numbers and drops it; two made in one nanosecond also give the same numbers.",
		Fix:            "Use the functions of math/rand/v2 (seeded by the runtime, no lock), or keep one source a goroutine.",
		FalsePositives: "Simulations that must repeat each step from a seed of its own: math/rand/v2's PCG seeds in nanoseconds.",
		Refs: []string{
			"https://go.dev/blog/randv2",
		},
	},
	{
		Title:          "CPU spent on making compressors that are used once",
		Why:            "A flate writer allocates and clears 800 kB before it compresses its first byte (1.2 MB at high levels), zstd's more. the culprit makes one for each piece of data, and the collector pays once more.",
		Fix:            "Keep writers in a sync.Pool and Reset them for the next piece; skip compression below a kilobyte or two.",
		FalsePositives: "Few, long streams, of which each needs its own.",
		Refs: []string{
			"https://pkg.go.dev/compress/gzip#Writer.Reset",
		},
	},
	{
		Title:          "CPU spent on building Kubernetes clients and schemes again and again",
		Why:            "A client brings a transport, a rate limiter, a scheme and a REST mapper, and each new one discovers the API and shakes hands again. the culprit builds them while it works, not when it starts.",
		Fix:            "Build the client and scheme once for a cluster and hand them in; for many clusters keep them by kubeconfig hash.",
		FalsePositives: "A process that has only just started.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client",
		},
	},
	{
		Title:          "CPU spent on discovering the cluster's API and building REST mappers again and again",
		Why:            "A REST mapper of a cluster with many custom resources holds thousands of entries, and discovery asks for each group. the culprit does it again and again, where one mapper serves the process.",
		Fix:            "Share one mapper (the manager's GetRESTMapper), or a cached discovery client that is invalidated only when a kind is missing.",
		FalsePositives: "A process that has only just started, or a cluster whose definitions change all the time.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client/apiutil",
		},
	},
	{
		Title:          "CPU spent on reading objects from the API server where a cache would do",
		Why:            "the culprit asks the API server for objects during a share of all CPU: a request, its TLS, its decoding, each time. The API server pays for it too, and its fairness queues slow the rest of the cluster down.",
		Fix:            "Read from an informer's lister or the manager's cached client; for labels and owners alone a metadata-only cache is enough. Where a live read must be, keep it for those cases that need it.",
		FalsePositives: "Reads that must be consistent, and programs that run only a moment.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/cache",
		},
	},
	{
		Title:          "CPU spent on compiling schemas, codecs or policies again and again",
		Why:            "A gob stream describes its types at its beginning, a JSON schema, a CEL or Rego policy is compiled before its first use: costs that are meant to be paid once. the culprit pays them each time.",
		Fix:            "Keep the compiled schema, policy or program; keep the gob encoder and decoder for a connection, and don't use gob to copy values.",
		FalsePositives: "Ever new schemas or policies.",
		Refs: []string{
			"https://pkg.go.dev/encoding/gob",
		},
	},
	{
		Title:          "CPU spent on reading the clock, in a loop that waits for a time or measures too much",
		Why:            "90 in 100 real CPU profiles have under 2.1 % in time.Now, which takes 50 ns. a share is a loop that waits by looking at the clock, or that measures each of many small steps.",
		Fix:            "Wait with a timer (time.Sleep, time.NewTimer, a context with a deadline); measure a batch and not each item; where the second is enough, keep the time in an atomic that a ticker sets.",
		FalsePositives: "Virtual machines without a fast clock source (no vDSO) make each reading a system call of a microsecond.",
		Refs: []string{
			"https://pkg.go.dev/time#NewTimer",
		},
	},
	{
		Title:          "A loop that polls a channel with select and default",
		Why:            "A select with a default case never waits. 90 in 100 real CPU profiles have under 4 % in all selects; the culprit polls in a loop for a share of all CPU.",
		Fix:            "Drop the default case so that select waits; where something else must be looked at too, add its channel or a timer.",
		FalsePositives: "A producer that drops what nobody takes, at a high rate.",
		Refs: []string{
			"https://go.dev/ref/spec#Select_statements",
		},
	},
	{
		Title:          "A loop on an atomic variable",
		Why:            "a share of all CPU is in atomic operations that the culprit asks for itself: a loop that waits for a flag, or a compare-and-swap that many processors retry on one cache line.",
		Fix:            "Wait with a channel, a sync.Cond or a mutex; count in a variable of each worker and add up; keep counters apart by a cache line.",
		FalsePositives: "Lock-free data structures in a benchmark.",
		Refs: []string{
			"https://go.dev/ref/mem",
		},
	},
	{
		Title:          "CPU spent on making timers in a loop",
		Why:            "Each time.After makes a timer and a channel, and until Go 1.23 they stay until it fires. the culprit makes them in a loop that turns often: one for each event, or with a time so short that it polls.",
		Fix:            "Make one timer and Reset it; wait for the event itself in place of polling; poll every second, not every microsecond.",
		FalsePositives: "A server that sets a deadline for each of many requests.",
		Refs: []string{
			"https://pkg.go.dev/time#After",
		},
	},
	{
		Title:          "CPU spent on timers that fire all the time",
		Why:            "a share of all CPU is the runtime's work for timers and sleeps: goroutines that wake every few microseconds, or thousands of tickers. It runs on the scheduler's stacks, so that few samples show who set them.",
		Fix:            "Wait for an event in place of sleeping and looking again; make polling intervals milliseconds at least; let one ticker serve all.",
		FalsePositives: "A load generator or a pacer of packets.",
		Refs: []string{
			"https://pkg.go.dev/time#Ticker",
		},
	},
	{
		Title:          "CPU spent on handing single items from goroutine to goroutine",
		Why:            "A hand-over costs 50 to 200 ns, and more where the other side must be woken on another processor. 90 in 100 real CPU profiles have under 4 % each in channels and selects, the culprit a share: items that are too small for their way.",
		Fix:            "Send batches, give the channel a buffer, do small steps in one goroutine, use a mutex for a shared counter or map.",
		FalsePositives: "A benchmark of channels.",
		Refs: []string{
			"https://go.dev/blog/pipelines",
		},
	},
	{
		Title:          "CPU spent on scheduling goroutines",
		Why:            "90 in 100 real CPU profiles have under 12 % in the scheduler. a share means that goroutines wake for very little: polls, tickers, single items over channels; or that there are more threads than processors (GOMAXPROCS above the container's CPU limit, before Go 1.25).",
		Fix:            "Take a dump to see who wakes; batch hand-overs; lengthen tickers; set GOMAXPROCS to the CPU limit before Go 1.25.",
		FalsePositives: "A mostly idle process: looking for work is all that is left.",
		Refs: []string{
			"https://go.dev/doc/go1.25#container-aware-gomaxprocs",
		},
	},
	{
		Title:          "CPU spent on fighting for a lock",
		Why:            "A lock that is free costs 10 ns. a share of all CPU in Lock and Unlock, where 95 in 100 real CPU profiles have under 6 %, means that goroutines spin for it, sleep and wake each other: the culprit takes a lock that everybody wants.",
		Fix:            "Hold it shorter (no I/O, logging or allocation inside), split it by key, count with atomics or per worker, replace a shared map by one that is copied on change. A mutex profile names the holder: runtime.SetMutexProfileFraction(100).",
		FalsePositives: "Very many uncontended locks: then it is their number.",
		Refs: []string{
			"https://pkg.go.dev/runtime#SetMutexProfileFraction",
		},
	},
	{
		Title:          "CPU spent on a read-write lock whose cache line goes from processor to processor",
		Why:            "RLock writes: every reader adds to one counter, so that its cache line travels between all processors, 20 to 100 ns each time, without anybody waiting. the culprit takes it for a share of all CPU.",
		Fix:            "Keep the data behind an atomic.Pointer and replace it whole when it changes; lock by key; read under the lock once for a batch.",
		FalsePositives: "Readers that wait for a slow writer: a block profile shows those.",
		Refs: []string{
			"https://github.com/golang/go/issues/17973",
		},
	},
	{
		Title:          "CPU spent in a sync.Map that many goroutines write",
		Why:            "A sync.Map is made for keys that are written once and read often: each store allocates, and takes a lock. the culprit writes to one for a share of all CPU.",
		Fix:            "Use a map with a mutex for each of some shards, or collect in each worker and merge.",
		FalsePositives: "A read-mostly map that is simply asked very often.",
		Refs: []string{
			"https://pkg.go.dev/sync#Map",
		},
	},
	{
		Title:          "CPU spent on opening, reading and looking at files again and again",
		Why:            "Opening, reading and closing a small file takes 5 to 20 µs, most of it in the kernel. the culprit does so for a share of all CPU: the same configuration, token or folder with each request or pass.",
		Fix:            "Read once and keep; look at the modification time at most once a second, or watch the file (inotify, fsnotify).",
		FalsePositives: "A program that walks disks by profession.",
		Refs: []string{
			"https://pkg.go.dev/github.com/fsnotify/fsnotify",
		},
	},
	{
		Title:          "CPU spent on system calls that write or read little of a file",
		Why:            "A system call takes a microsecond whatever it carries. the culprit calls read or write for a share of all CPU, unbuffered: a line or a few bytes each.",
		Fix:            "Put a bufio.Writer or bufio.Reader of 64 kB between (and Flush it), or write whole batches.",
		FalsePositives: "Large copies, whose time is the kernel's copying.",
		Refs: []string{
			"https://pkg.go.dev/bufio",
		},
	},
	{
		Title:          "CPU spent on looking up names",
		Why:            "Go keeps no answers of DNS: each lookup opens sockets, and with Kubernetes' ndots:5 asks up to ten times for a name outside the cluster. the culprit looks up for a share of all CPU.",
		Fix:            "Keep connections, which need no lookup; write external names with a final dot; keep answers for some seconds; set ndots to 1 or 2.",
		FalsePositives: "A resolver or scanner whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/net#hdr-Name_Resolution",
		},
	},
	{
		Title:          "CPU spent on opening connections that are not kept",
		Why:            "a share of all CPU opens connections for the culprit: one for each request, since the last one was not kept.",
		Fix:            "Share one http.Client or connection pool, read bodies to the end and close them, raise MaxIdleConnsPerHost (2) to the number of concurrent requests.",
		FalsePositives: "A scanner, prober or proxy that sees each host once.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Transport",
		},
	},
	{
		Title:          "CPU spent on starting other programs",
		Why:            "Starting a program takes a millisecond and more, most of it in the kernel and not in this profile. the culprit starts them for a share of all CPU.",
		Fix:            "Use a library in place of the program (netlink for ip and iptables, client-go for kubectl), or one long-running process.",
		FalsePositives: "A supervisor or build tool whose work this is.",
		Refs: []string{
			"https://pkg.go.dev/os/exec",
		},
	},
	{
		Title:          "A heap that is mostly informers' caches",
		Why:            "An informer keeps every object of its kind, whole: managedFields alone are often half of one, and Secrets, ConfigMaps and Events come by the thousands. an amount of the heap are such objects.",
		Fix:            "Strip what nobody reads (cache.TransformStripManagedFields), restrict caches by namespace, label or field (cache.Options.ByObject), use metadata-only watches, and read Secrets live with DisableFor.",
		FalsePositives: "A controller that needs all of its many objects.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/cache#TransformStripManagedFields",
		},
	},
	{
		Title:          "A heap that is mostly copies of the API's discovery",
		Why:            "A REST mapper of a cluster with many custom resources takes megabytes. a share of the heap means that there is one for each client, and that the culprit makes clients.",
		Fix:            "Share one mapper and one client for a cluster; drop those of clusters that are gone.",
		FalsePositives: "A process of many clusters that needs one each.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client/apiutil",
		},
	},
	{
		Title:          "Most of what is allocated is compressors that are used once",
		Why:            "A flate writer takes 800 kB and more. an amount since the program began, allocated for the culprit, kept the collector busy for writers that served once.",
		Fix:            "Keep writers and readers in a sync.Pool and Reset them.",
		FalsePositives: "A few long streams in a program that allocates little else.",
		Refs: []string{
			"https://pkg.go.dev/compress/gzip#Writer.Reset",
		},
	},
	{
		Title:          "A heap that is mostly the runtime's structures of goroutines",
		Why:            "A goroutine's structure takes some 450 bytes and is never freed, only used again: an amount of them mean that a hundred thousand or more were there at once. Their stacks (2 kB and more each) come on top and are not in a heap profile.",
		Fix:            "Find who starts them and what they wait for (a goroutine dump or profile); bound their number.",
		FalsePositives: "A burst that is over: the structures stay.",
		Refs: []string{
			"https://pkg.go.dev/runtime/pprof#Profile",
		},
	},
	{
		Title:          "A heap that is mostly timers and contexts that nobody stopped",
		Why:            "A timer stays until it fires (time.After, and before Go 1.23 every one that is not stopped), a context until it is cancelled. the culprit made an amount of them that are still there.",
		Fix:            "Stop timers, call every cancel function (defer cancel()), take one timer and Reset it, make time limits short where there are many.",
		FalsePositives: "A scheduler of very many future events.",
		Refs: []string{
			"https://pkg.go.dev/context#WithTimeout",
		},
	},
	{
		Title:          "A heap that is mostly the buffers of connections",
		Why:            "An HTTP connection has 8 kB of buffers, with TLS and HTTP/2 30 to 70 kB. an amount mean thousands of connections: clients that connect and stay, or a Transport for each request whose idle connections wait for 90 seconds or for ever.",
		Fix:            "Share one Transport with IdleConnTimeout; set IdleTimeout and ReadHeaderTimeout on servers; bound what is open at once.",
		FalsePositives: "A gateway for many clients.",
		Refs: []string{
			"https://pkg.go.dev/net/http#Transport",
		},
	},
	{
		Title:          "A heap that is mostly parsed certificates",
		Why:            "The system's pool of roots takes half a megabyte once parsed. the culprit keeps an amount: one pool for each client or connection.",
		Fix:            "Build the pool once and share it between all tls.Configs.",
		FalsePositives: "A program that holds very many different certificates.",
		Refs: []string{
			"https://pkg.go.dev/crypto/x509#SystemCertPool",
		},
	},
	{
		Title:          "A heap that is mostly compiled regular expressions",
		Why:            "A compiled expression takes kilobytes, one with counted repeats or Unicode classes hundreds of them. the culprit keeps an amount: a cache without bound, or an expression for each object.",
		Fix:            "Share expressions by their text, bound the cache, write Unicode classes and counted repeats smaller.",
		FalsePositives: "A rule engine that needs all of them.",
		Refs: []string{
			"https://pkg.go.dev/regexp",
		},
	},
	{
		Title:          "A heap that is mostly profiles, traces and spans",
		Why:            "an amount belong to profiles in the making or to spans that were not sent yet: an exporter whose other end does not answer keeps them.",
		Fix:            "Bound the exporter's queue, sample less, see why its collector does not take them.",
		FalsePositives: "The profile that was just taken, of a small process.",
		Refs: []string{
			"https://pkg.go.dev/runtime/pprof",
		},
	},
	{
		Title:          "A heap that is mostly metrics, because a label has too many values",
		Why:            "Each combination of label values is a metric of its own, a histogram some kilobytes, and none is ever dropped. the culprit made an amount of them: a label holds an id, a path, an address or an error's text.",
		Fix:            "Drop the label or put its values into classes; delete series of objects that are gone (DeletePartialMatch).",
		FalsePositives: "An exporter whose metrics are its work (kube-state-metrics).",
		Refs: []string{
			"https://prometheus.io/docs/practices/naming/#labels",
		},
	},
	{
		Title:          "A heap that is mostly queues",
		Why:            "an amount are channels' buffers, work queues or linked lists that the culprit fills: more comes in than goes out, or a buffer was made for far more than is ever there.",
		Fix:            "Make buffers small, let producers wait or drop, see why consumers are slow (a goroutine dump tells).",
		FalsePositives: "A large buffer that is meant so.",
		Refs: []string{
			"https://pkg.go.dev/k8s.io/client-go/util/workqueue",
		},
	},
	{
		Title:          "Most of what is allocated is short-lived text",
		Why:            "an amount since the program began went into strings made by joining, formatting and converting, for the culprit most of all.",
		Fix:            "Join with a strings.Builder that grows once; convert once; build keys as structs; don't make text that nobody reads.",
		FalsePositives: "A program that writes text by profession.",
		Refs: []string{
			"https://pkg.go.dev/strings#Builder",
		},
	},
	{
		Title:          "Most of what is allocated goes into encoding and decoding",
		Why:            "an amount since the program began were allocated by encoders and decoders, for the culprit most of all: each message anew, into maps and interfaces where structs would do.",
		Fix:            "Decode into structs, reuse buffers and messages, stream with Encoder and Decoder, keep results that are asked for again.",
		FalsePositives: "A converter or API server.",
		Refs: []string{
			"https://pkg.go.dev/encoding/json#Decoder",
		},
	},
	{
		Title:          "Most of what is allocated is bodies and files read whole",
		Why:            "io.ReadAll begins with 512 bytes and copies to a larger slice again and again: it allocates up to five times what it reads. the culprit read an amount so since the program began.",
		Fix:            "Decode from the reader (json.NewDecoder), copy with io.Copy to where it goes, make the buffer from Content-Length, keep buffers in a pool.",
		FalsePositives: "Few, large reads that must be whole.",
		Refs: []string{
			"https://pkg.go.dev/io#ReadAll",
		},
	},
	{
		Title:          "Most of what is allocated is maps",
		Why:            "an amount since the program began went into maps that the culprit makes and fills step by step, each step twice as large.",
		Fix:            "Make maps with their size, clear() and keep them, or use a slice of pairs where there are few.",
		FalsePositives: "Maps that are kept: look at the heap then.",
		Refs: []string{
			"https://go.dev/blog/swisstable",
		},
	},
	{
		Title:          "Most of what is allocated is deep copies",
		Why:            "an amount since the program began are copies of whole objects that the culprit asked for, of which it changes little as a rule.",
		Fix:            "List without copying (UnsafeDisableDeepCopy) what is only read; copy the one object that is changed.",
		FalsePositives: "Objects that are all changed indeed.",
		Refs: []string{
			"https://pkg.go.dev/sigs.k8s.io/controller-runtime/pkg/client#UnsafeDisableDeepCopy",
		},
	},
	{
		Title:          "Most of what is allocated is log lines",
		Why:            "an amount since the program began were allocated for log lines of the culprit, whether or not anybody reads them.",
		Fix:            "Log less there, check Enabled before arguments are made, pass typed fields in place of formatted text.",
		FalsePositives: "A log shipper.",
		Refs: []string{
			"https://pkg.go.dev/log/slog#hdr-Performance_considerations",
		},
	},
	{
		Title:          "A goroutine that sends to or receives from a nil channel, which never completes",
		Why:            "The runtime says [its state] of N goroutines at FILE:LINE: a channel that was never made, or was set to nil, so that the operation can't complete and the goroutine, with all it refers to, stays until the process ends.",
		Fix:            "Make the channel before the goroutine that its creator starts can use it, and don't set it to nil while another goroutine sends or receives; where it is a stop channel that may be missing, return instead of waiting.",
		FalsePositives: "A goroutine that was meant to wait for ever and does so on a nil channel on purpose, a library's unused stop channel for instance.",
		Refs: []string{
			"https://go.dev/ref/spec#Receive_operator",
			"https://go.dev/ref/spec#Send_statements",
		},
	},
	{
		Title:          "A closure that waits for a stop signal on a nil channel and will never run what follows",
		Why:            "N goroutines at FILE:LINE receive from a nil channel and do nothing else. That is what <-ctx.Done() does with context.Background() or context.TODO(), which have no Done channel: what follows, a clean-up as a rule, never runs.",
		Fix:            "Pass its creator a context that is cancelled when the work ends, signal.NotifyContext's for instance; or don't start the goroutine where there is nothing to wait for.",
		FalsePositives: "Work that lasts as long as the process needs no clean-up: then the goroutine is waste and no fault.",
		Refs: []string{
			"https://pkg.go.dev/context#Context",
		},
	},
	{
		Title:          "A goroutine other than main that stands in an empty select",
		Why:            "N goroutines in an empty select at FILE:LINE: it never ends, so that what is deferred never runs and what the stack refers to is never freed.",
		Fix:            "Return once the work is done, or wait for something that ends: a context, a channel that the owner closes.",
		FalsePositives: "A goroutine that was meant to keep something alive until the process ends.",
		Refs: []string{
			"https://go.dev/ref/spec#Select_statements",
		},
	},
	{
		Title:          "A finalizer or cleanup that blocks, so that no other finalizer can run",
		Why:            "The goroutine that runs all finalizers of the process stands at FILE:LINE in [its state]. Finalizers run one after the other: until this one returns, no other object with a finalizer is freed, nor what it refers to.",
		Fix:            "Let the finalizer only hand its work on (start a goroutine, or send without blocking), or free the resource in a Close method and keep the finalizer as a safety net.",
		FalsePositives: "A finalizer that was caught in a long but finite wait: a second dump, minutes later, shows it gone.",
		Refs: []string{
			"https://pkg.go.dev/runtime#SetFinalizer",
			"https://pkg.go.dev/runtime#AddCleanup",
		},
	},
	{
		Title:          "Goroutines of which the garbage collector proved that nothing can wake them",
		Why:            "The runtime marks N goroutines at FILE:LINE as leaked: in [its state], and no goroutine that can still run holds a reference to what they wait for. its creator started them.",
		Fix:            "Make sure that the other side always comes: close the channel on every way out of its creator, give it a buffer for the answer that nobody may wait for, or wait for a context too.",
		FalsePositives: "None known: the detector reports only what is unreachable.",
		Refs: []string{
			"https://go.dev/doc/go1.26",
		},
	},
}

// builtinRoleDefs are the roles of roles.yaml. Nothing changes them.
var builtinRoleDefs = []RoleDef{
	{
		Name: "informer-watch",
		Doc:  "waits for the events of one watch of the API server",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"running",
					"runnable",
					"sleep",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*Reflector).watchHandler",
					"k8s.io/client-go/tools/cache.(*Reflector).watch",
					"k8s.io/client-go/tools/cache.(*Reflector).watchList",
					"k8s.io/client-go/tools/cache.watchHandler",
					"k8s.io/client-go/tools/cache.handleWatch",
					"k8s.io/client-go/tools/cache.handleListWatch",
					"k8s.io/client-go/tools/cache.handleAnyWatch",
				},
			},
		},
	},
	{
		Name: "informer-resync",
		Doc:  "waits for the next resync of an informer, or for its end",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*Reflector).startResync",
					"k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch.func1",
					"k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch.func2",
					"k8s.io/client-go/tools/cache.(*Reflector).ListAndWatch.func3",
				},
				Creator: []string{
					"k8s.io/client-go/tools/cache.(*Reflector).*",
					"k8s.io/apimachinery/pkg/util/wait.(*Group).Start",
				},
			},
		},
	},
	{
		Name: "informer-list",
		Doc:  "waits for the first list of an informer's objects",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*Reflector).list",
				},
			},
		},
	},
	{
		Name: "informer-relist-pause",
		Doc:  "waits before an informer lists and watches again",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*Reflector).Run",
					"k8s.io/client-go/tools/cache.(*Reflector).RunWithContext",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "informer-queue",
		Doc:  "waits for changes to hand to an informer's listeners",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*DeltaFIFO).Pop",
					"k8s.io/client-go/tools/cache.(*RealFIFO).Pop",
					"k8s.io/client-go/tools/cache.(*RealFIFO).PopBatch",
					"k8s.io/client-go/tools/cache.(*FIFO).Pop",
				},
			},
		},
	},
	{
		Name: "informer-stop-watcher",
		Doc:  "waits for the end of an informer's controller, to close its queue",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"nil chan",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*controller).Run.func1",
					"k8s.io/client-go/tools/cache.(*controller).RunWithContext.func1",
				},
			},
		},
	},
	{
		Name: "informer-processor",
		Doc:  "waits for the end of an informer, to stop its listeners",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"nil chan",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*sharedProcessor).run",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "informer-listener",
		Doc:  "waits for the next event for one handler",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"select",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*processorListener).run",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
			{
				At: []string{
					"k8s.io/client-go/tools/cache.(*processorListener).watchSynced",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "informer-buffer",
		Doc:  "buffers the events of one handler",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*processorListener).pop",
				},
			},
		},
	},
	{
		Name: "informer-run",
		Doc:  "waits for the end of an informer or of all informers of a factory",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/cache.(*sharedIndexInformer).Run",
					"k8s.io/client-go/tools/cache.(*sharedIndexInformer).RunWithContext",
					"k8s.io/client-go/tools/cache.(*controller).Run",
					"k8s.io/client-go/tools/cache.(*controller).RunWithContext",
					"k8s.io/client-go/informers.(*sharedInformerFactory).Start",
					"k8s.io/client-go/informers.(*sharedInformerFactory).Shutdown",
					"k8s.io/client-go/dynamic/dynamicinformer.(*dynamicSharedInformerFactory).Start",
					"k8s.io/client-go/metadata/metadatainformer.(*metadataSharedInformerFactory).Start",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "cache-sync-wait",
		Doc:  "waits for informers to have listed their objects once",
		Match: []Match{
			{
				At: []string{
					"k8s.io/client-go/tools/cache.WaitForCacheSync",
					"k8s.io/client-go/tools/cache.WaitForNamedCacheSync",
					"k8s.io/client-go/tools/cache.WaitForNamedCacheSyncWithContext",
					"k8s.io/client-go/informers.(*sharedInformerFactory).WaitForCacheSync",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
					"k8s.io/client-go/tools/cache.*",
				},
			},
		},
	},
	{
		Name: "watch-stream",
		Doc:  "reads the events of one watch from its connection",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"k8s.io/apimachinery/pkg/watch.(*StreamWatcher).receive",
				},
				Through: []string{
					"golang.org/x/net/http2.*",
					"k8s.io/apimachinery/pkg/util/framer.*",
					"k8s.io/apimachinery/pkg/runtime/serializer/**",
					"k8s.io/client-go/rest/watch.*",
					"k8s.io/client-go/util/connrotation.*",
					"k8s.io/client-go/transport.*",
					"github.com/json-iterator/go.*",
					"sigs.k8s.io/json/**",
				},
			},
		},
	},
	{
		Name: "watch-filter",
		Doc:  "hands the events of a watch on to a filter or a retrying watch",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"k8s.io/apimachinery/pkg/watch.(*filteredWatch).loop",
					"k8s.io/client-go/tools/watch.(*RetryWatcher).receive",
					"k8s.io/client-go/tools/watch.(*RetryWatcher).doReceive",
					"k8s.io/client-go/tools/watch.(*eventProcessor).run",
					"k8s.io/client-go/tools/watch.NewIndexerInformerWatcherWithLogger",
					"k8s.io/client-go/tools/watch.NewIndexerInformerWatcher",
					"k8s.io/client-go/tools/watch.UntilWithoutRetry",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
					"k8s.io/client-go/tools/watch.*",
				},
			},
		},
	},
	{
		Name: "event-broadcaster",
		Doc:  "waits for Kubernetes events to record or log",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"select",
					"nil chan",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/apimachinery/pkg/watch.(*Broadcaster).loop",
					"k8s.io/apimachinery/pkg/watch.(*Broadcaster).Shutdown",
					"k8s.io/client-go/tools/record.(*eventBroadcasterImpl).StartEventWatcher",
					"k8s.io/client-go/tools/record.NewBroadcaster",
					"k8s.io/client-go/tools/events.(*eventBroadcasterImpl).*",
					"k8s.io/client-go/tools/record.(*recorderImpl).*",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "workqueue-worker",
		Doc:  "waits for the next item of a work queue",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"cond",
					"chan receive",
					"select",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/util/workqueue.(*Type).Get",
					"k8s.io/client-go/util/workqueue.(*Typed).Get",
					"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.(*priorityqueue).Get",
					"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.(*priorityqueue).GetWithPriority",
					"k8s.io/kubernetes/pkg/scheduler/**.Pop",
				},
				Through: []string{
					"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.*",
				},
			},
		},
	},
	{
		Name: "workqueue-delay",
		Doc:  "waits for the items of a work queue that are not due yet",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/util/workqueue.(*delayingType).waitingLoop",
					"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.(*priorityqueue).spin",
				},
			},
		},
	},
	{
		Name: "workqueue-metrics",
		Doc:  "measures a work queue every half second",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"k8s.io/client-go/util/workqueue.(*Type).updateUnfinishedWorkLoop",
					"k8s.io/client-go/util/workqueue.(*Typed).updateUnfinishedWorkLoop",
					"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.(*priorityqueue).updateUnfinishedWorkLoop",
					"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.(*priorityqueue).logState",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
					"k8s.io/utils/clock.*",
				},
			},
		},
	},
	{
		Name: "leader-election",
		Doc:  "holds or waits for a lease, between two renewals",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/leaderelection.(*LeaderElector).renew",
					"k8s.io/client-go/tools/leaderelection.(*LeaderElector).acquire",
					"k8s.io/client-go/tools/leaderelection.(*LeaderElector).Run",
					"k8s.io/client-go/tools/leaderelection.(*LeaseCandidate).Run",
					"k8s.io/client-go/tools/leaderelection.RunOrDie",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
					"k8s.io/client-go/tools/leaderelection.*",
				},
			},
		},
	},
	{
		Name: "client-certificate",
		Doc:  "waits for a client certificate to be rotated",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"k8s.io/client-go/util/certificate.(*manager).*",
					"k8s.io/client-go/util/certificate.NewManager",
					"k8s.io/client-go/transport.(*dynamicClientCert).*",
					"k8s.io/client-go/transport.(*tlsTransportCache).*",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
					"k8s.io/client-go/util/workqueue.*",
				},
			},
		},
	},
	{
		Name: "kubernetes-stream",
		Doc:  "carries the streams of an exec, attach or port-forward",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/client-go/tools/remotecommand.*",
					"k8s.io/client-go/tools/portforward.*",
					"k8s.io/apimachinery/pkg/util/httpstream/**",
					"k8s.io/apimachinery/pkg/util/proxy.(*UpgradeAwareHandler).*",
					"**/spdystream.(*Connection).*",
					"**/spdystream.(*Stream).*",
					"**/spdystream.(*idleAwareFramer).*",
					"**/spdystream.MirrorStreamHandler",
				},
				Through: []string{
					"**/spdystream/spdy.*",
					"**/spdystream.*",
					"golang.org/x/net/**",
					"github.com/gorilla/websocket.*",
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "manager",
		Doc:  "runs a controller manager until it is stopped",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"nil chan",
					"cond",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"sigs.k8s.io/controller-runtime/pkg/manager.(*controllerManager).Start",
					"sigs.k8s.io/controller-runtime/pkg/manager.(*controllerManager).startLeaderElection",
					"sigs.k8s.io/controller-runtime/pkg/manager.(*runnableGroup).reconcile",
					"sigs.k8s.io/controller-runtime/pkg/manager.(*runnableGroup).Start",
					"sigs.k8s.io/controller-runtime/pkg/manager.(*Server).Start",
					"sigs.k8s.io/controller-runtime/pkg/manager.(*server).Start",
					"sigs.k8s.io/controller-runtime/pkg/cluster.(*cluster).Start",
					"sigs.k8s.io/controller-runtime/pkg/metrics/server.(*defaultServer).*",
				},
			},
		},
	},
	{
		Name: "controller",
		Doc:  "runs a controller's workers until it is stopped",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"nil chan",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).Start",
					"sigs.k8s.io/controller-runtime/pkg/internal/controller.(*Controller).startEventSourcesAndQueueLocked",
					"sigs.k8s.io/controller-runtime/pkg/internal/source.(*Kind).*",
					"sigs.k8s.io/controller-runtime/pkg/source.(*Kind).*",
					"sigs.k8s.io/controller-runtime/pkg/source.(*Channel).*",
					"sigs.k8s.io/controller-runtime/pkg/source.(*channel).*",
					"sigs.k8s.io/controller-runtime/pkg/internal/syncs.MergeChans",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "controller-cache",
		Doc:  "runs the informers of a controller manager until it is stopped",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"sigs.k8s.io/controller-runtime/pkg/cache/**",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "webhook-server",
		Doc:  "runs a webhook server and watches its certificate",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"sigs.k8s.io/controller-runtime/pkg/webhook.(*DefaultServer).Start",
					"sigs.k8s.io/controller-runtime/pkg/webhook.(*Server).Start",
					"sigs.k8s.io/controller-runtime/pkg/certwatcher.(*CertWatcher).*",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "apiserver-cache",
		Doc:  "feeds watches from the API server's cache of objects",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/apiserver/pkg/storage/cacher.*",
					"k8s.io/apiserver/pkg/storage/cacher/progress.*",
					"k8s.io/apiserver/pkg/storage/etcd3.*",
					"k8s.io/apiserver/pkg/registry/generic/registry.(*decoratedWatcher).run",
					"k8s.io/apiserver/pkg/registry/generic/registry.(*Store).startObservingCount",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
					"k8s.io/utils/clock.*",
					"k8s.io/apiserver/pkg/storage/**",
				},
			},
		},
	},
	{
		Name: "apiserver-audit",
		Doc:  "waits for audit events to write",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/apiserver/plugin/pkg/audit/**",
				},
			},
		},
	},
	{
		Name: "apiserver-watch",
		Doc:  "serves one watch to a client",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/apiserver/pkg/endpoints/handlers.(*WatchServer).*",
				},
			},
		},
	},
	{
		Name: "apiserver-loop",
		Doc:  "runs a periodic part of an API server",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/apiserver/pkg/server/dynamiccertificates.*",
					"k8s.io/apiserver/pkg/util/flowcontrol/**",
					"k8s.io/apiserver/pkg/server/options/**",
					"k8s.io/apiserver/pkg/server.(*SecureServingInfo).*",
					"k8s.io/apiserver/pkg/server.RunServer",
					"k8s.io/apiserver/pkg/server.preparedGenericAPIServer.*",
					"k8s.io/apiserver/pkg/server/filters.startWatermarkMaintenance",
					"k8s.io/apiserver/pkg/admission/**",
					"k8s.io/apiserver/pkg/util/peerproxy.*",
					"k8s.io/apiserver/pkg/authentication/**",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
					"k8s.io/client-go/util/workqueue.*",
					"k8s.io/utils/clock.*",
				},
			},
		},
	},
	{
		Name: "rancher-controller",
		Doc:  "waits for a change of a watched kind, or for the end of a controller",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"select",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/rancher/lasso/pkg/controller.*",
					"github.com/rancher/lasso/pkg/cache.*",
					"github.com/rancher/lasso/pkg/client.(*Client).injectKind",
					"github.com/rancher/lasso/pkg/dynamic.*",
					"github.com/rancher/wrangler/pkg/summary/**",
					"github.com/rancher/wrangler/pkg/relatedresource.*",
					"github.com/rancher/wrangler/pkg/broadcast.*",
					"github.com/rancher/wrangler/pkg/leader.*",
					"github.com/rancher/wrangler/pkg/ticker.*",
					"github.com/rancher/wrangler/pkg/clients.*",
					"github.com/rancher/steve/pkg/clustercache.*",
					"github.com/rancher/steve/pkg/schema.(*Collection).OnChange",
					"github.com/rancher/steve/pkg/controllers/schema.*",
					"github.com/rancher/norman/controller.*",
					"github.com/rancher/norman/generic.*",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
				},
			},
		},
	},
	{
		Name: "rancher-aggregation",
		Doc:  "serves an aggregated API over a tunnel",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"select",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/rancher/steve/pkg/aggregation.(*Listener).Accept",
					"github.com/rancher/steve/pkg/aggregation.serve",
					"github.com/rancher/steve/pkg/aggregation.ListenAndServe",
					"github.com/rancher/dynamiclistener/server.ListenAndServe",
					"github.com/rancher/dynamiclistener/storage/**",
				},
				Through: []string{
					"github.com/gorilla/websocket.*",
					"**/remotedialer.*",
				},
			},
		},
	},
	{
		Name: "tunnel",
		Doc:  "carries connections over a websocket to a cluster agent",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"cond",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"**/remotedialer.*",
				},
				Through: []string{
					"github.com/gorilla/websocket.*",
				},
			},
		},
	},
	{
		Name: "periodic-loop",
		Doc:  "waits for the next round of a periodic function",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/apimachinery/pkg/util/wait.BackoffUntil",
					"k8s.io/apimachinery/pkg/util/wait.BackoffUntilWithContext",
					"k8s.io/apimachinery/pkg/util/wait.JitterUntil",
					"k8s.io/apimachinery/pkg/util/wait.JitterUntilWithContext",
					"k8s.io/apimachinery/pkg/util/wait.NonSlidingUntil",
					"k8s.io/apimachinery/pkg/util/wait.poller",
				},
			},
		},
	},
	{
		Name: "poll",
		Doc:  "waits before it asks again whether a condition holds",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"k8s.io/apimachinery/pkg/util/wait.loopConditionUntilContext",
					"k8s.io/apimachinery/pkg/util/wait.waitForWithContext",
					"k8s.io/apimachinery/pkg/util/wait.WaitForWithContext",
					"k8s.io/apimachinery/pkg/util/wait.WaitFor",
					"k8s.io/apimachinery/pkg/util/wait.ExponentialBackoff",
					"k8s.io/apimachinery/pkg/util/wait.ExponentialBackoffWithContext",
				},
			},
		},
	},
	{
		Name: "grpc-transport",
		Doc:  "reads or writes the frames of one gRPC connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"google.golang.org/grpc/internal/transport.(*controlBuffer).get",
					"google.golang.org/grpc/internal/transport.(*loopyWriter).run",
					"google.golang.org/grpc/internal/transport.(*http2Client).*",
					"google.golang.org/grpc/internal/transport.(*http2Server).HandleStreams",
					"google.golang.org/grpc/internal/transport.(*http2Server).keepalive",
					"google.golang.org/grpc/internal/transport.(*http2Server).outgoingGoAwayHandler",
					"google.golang.org/grpc/internal/transport.NewHTTP2Client",
					"google.golang.org/grpc/internal/transport.newHTTP2Client",
					"google.golang.org/grpc/internal/transport.NewServerTransport",
					"google.golang.org/grpc/internal/transport.newHTTP2Server",
					"google.golang.org/grpc/internal/transport.(*serverHandlerTransport).*",
				},
				Through: []string{
					"golang.org/x/net/http2.*",
					"google.golang.org/grpc/internal/transport.*",
					"google.golang.org/grpc/credentials/**",
				},
				Creator: []string{
					"google.golang.org/grpc/**",
				},
			},
		},
	},
	{
		Name: "grpc-connection",
		Doc:  "keeps a gRPC connection's addresses, balancer and state up to date",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"google.golang.org/grpc/internal/grpcsync.*",
					"google.golang.org/grpc/internal/resolver/**",
					"google.golang.org/grpc/resolver/**",
					"google.golang.org/grpc/balancer/**",
					"google.golang.org/grpc/xds/**",
					"google.golang.org/grpc.(*ccBalancerWrapper).*",
					"google.golang.org/grpc.(*ccResolverWrapper).*",
					"google.golang.org/grpc.(*addrConn).resetTransport",
					"google.golang.org/grpc.(*addrConn).startHealthCheck",
					"google.golang.org/grpc.(*ClientConn).scWatcher",
					"google.golang.org/grpc/internal/channelz.*",
					"google.golang.org/grpc/internal/binarylog.*",
					"google.golang.org/grpc/credentials/**",
				},
			},
		},
	},
	{
		Name: "grpc-stream-end",
		Doc:  "waits for the end of one gRPC stream",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"running",
					"runnable",
				},
				At: []string{
					"google.golang.org/grpc.newClientStreamWithParams",
					"google.golang.org/grpc.newClientStream",
					"google.golang.org/grpc.newNonRetryClientStream",
					"google.golang.org/grpc.(*clientStream).*",
				},
				Creator: []string{
					"google.golang.org/grpc.*",
				},
			},
		},
	},
	{
		Name: "grpc-call",
		Doc:  "waits for the answer of a gRPC call",
		Match: []Match{
			{
				At: []string{
					"google.golang.org/grpc/internal/transport.(*recvBufferReader).*",
					"google.golang.org/grpc/internal/transport.(*Stream).waitOnHeader",
					"google.golang.org/grpc/internal/transport.(*ClientStream).waitOnHeader",
				},
				Frames: FramesMatch{
					Any: []string{
						"google.golang.org/grpc.invoke",
						"google.golang.org/grpc.Invoke",
						"google.golang.org/grpc.(*ClientConn).Invoke",
					},
				},
			},
		},
	},
	{
		Name: "grpc-stream",
		Doc:  "waits for the next message of a gRPC stream",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"google.golang.org/grpc/internal/transport.(*recvBufferReader).*",
					"google.golang.org/grpc/internal/transport.(*Stream).waitOnHeader",
					"google.golang.org/grpc/internal/transport.(*ClientStream).waitOnHeader",
				},
			},
		},
	},
	{
		Name: "grpc-server",
		Doc:  "runs a gRPC server or one of its idle workers",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"select",
					"waitgroup",
					"semaphore",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"google.golang.org/grpc.(*Server).serverWorker",
					"google.golang.org/grpc.(*Server).serveStreams",
					"google.golang.org/grpc.(*Server).Serve",
					"google.golang.org/grpc.(*Server).handleRawConn",
				},
			},
		},
	},
	{
		Name: "ttrpc",
		Doc:  "reads or writes the messages of a containerd shim",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/containerd/ttrpc.*",
				},
			},
		},
	},
	{
		Name: "http-keepalive",
		Doc:  "waits for the next request on an open connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"io",
					"select",
					"cond",
				},
				At: []string{
					"net/http.(*conn).readRequest",
					"net/http.(*conn).serve",
				},
				Through: []string{
					"golang.org/x/net/**",
					"github.com/soheilhy/cmux.*",
					"**/remotedialer.*",
					"github.com/rancher/dynamiclistener.*",
					"github.com/pires/go-proxyproto.*",
				},
				Except: []Match{
					{
						Frames: FramesMatch{
							Any: []string{
								"net/http.serverHandler.ServeHTTP",
							},
						},
					},
				},
			},
		},
	},
	{
		Name: "http-request-watch",
		Doc:  "watches a connection for its end while a request is served",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"net/http.(*connReader).backgroundRead",
				},
				Through: []string{
					"golang.org/x/net/**",
					"github.com/soheilhy/cmux.*",
					"**/remotedialer.*",
					"github.com/rancher/dynamiclistener.*",
					"github.com/pires/go-proxyproto.*",
				},
			},
		},
	},
	{
		Name: "http2-server",
		Doc:  "reads or writes the frames of one HTTP/2 connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"io",
					"chan receive",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"net/http.(*http2serverConn).serve",
					"net/http.(*http2serverConn).readFrames",
					"net/http.(*http2serverConn).writeFrameAsync",
					"net/http.(*http2serverConn).readPreface",
					"net/http/internal/http2.(*serverConn).serve",
					"net/http/internal/http2.(*serverConn).readFrames",
					"net/http/internal/http2.(*serverConn).writeFrameAsync",
					"golang.org/x/net/http2.(*serverConn).serve",
					"golang.org/x/net/http2.(*serverConn).readFrames",
					"golang.org/x/net/http2.(*serverConn).writeFrameAsync",
					"golang.org/x/net/http2.(*serverConn).readPreface",
				},
				Through: []string{
					"golang.org/x/net/**",
					"github.com/soheilhy/cmux.*",
					"**/remotedialer.*",
					"github.com/rancher/dynamiclistener.*",
					"github.com/pires/go-proxyproto.*",
				},
			},
		},
	},
	{
		Name: "http-start",
		Doc:  "begins to serve a new connection",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"running",
					"runnable",
				},
				Root: []string{
					"net/http.(*Server).Serve",
				},
				Creator: []string{
					"net/http.(*Server).Serve",
				},
			},
		},
	},
	{
		Name: "http-shutdown-wait",
		Doc:  "waits for the end of a server, to shut it down",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"net/http.(*onceCloseListener).*",
					"net/http.(*Server).Shutdown",
				},
			},
		},
	},
	{
		Name: "accept",
		Doc:  "waits for connections",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"net.(*netFD).accept",
					"net.(*TCPListener).Accept",
					"net.(*UnixListener).Accept",
					"golang.org/x/net/netutil.(*limitListener).*",
					"github.com/soheilhy/cmux.*",
					"google.golang.org/grpc/test/bufconn.(*Listener).Accept",
				},
			},
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"cond",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"**/yamux.(*Session).AcceptStream",
					"**/yamux.(*Session).Accept",
					"**/smux.(*Session).AcceptStream",
					"golang.org/x/crypto/ssh.*",
				},
			},
		},
	},
	{
		Name: "http-client-connection",
		Doc:  "reads or writes one client connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"io",
					"syscall",
					"chan receive",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"net/http.(*persistConn).readLoop",
					"net/http.(*persistConn).writeLoop",
					"net/http.(*persistConn).readLoopPeekFailLocked",
					"net/http.(*http2ClientConn).readLoop",
					"net/http/internal/http2.(*ClientConn).readLoop",
					"golang.org/x/net/http2.(*ClientConn).readLoop",
				},
				Through: []string{
					"golang.org/x/net/**",
					"k8s.io/client-go/util/connrotation.*",
					"k8s.io/client-go/transport.*",
					"**/remotedialer.*",
				},
			},
		},
	},
	{
		Name: "http2-request",
		Doc:  "waits for the end of one HTTP/2 request, a watch for instance",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"running",
					"runnable",
				},
				At: []string{
					"net/http.(*http2clientStream).writeRequest",
					"net/http.(*http2clientStream).doRequest",
					"net/http.(*http2clientStream).cleanupWriteRequest",
					"net/http/internal/http2.(*clientStream).writeRequest",
					"net/http/internal/http2.(*clientStream).doRequest",
					"net/http/internal/http2.(*clientStream).cleanupWriteRequest",
					"golang.org/x/net/http2.(*clientStream).writeRequest",
					"golang.org/x/net/http2.(*clientStream).doRequest",
					"golang.org/x/net/http2.(*clientStream).cleanupWriteRequest",
					"golang.org/x/net/http2.(*clientStream).awaitRequestCancel",
					"net/http.(*http2clientStream).awaitRequestCancel",
					"golang.org/x/net/http2.awaitRequestCancel",
					"net/http.http2awaitRequestCancel",
				},
			},
		},
	},
	{
		Name: "http-dial",
		Doc:  "opens a client connection",
		Match: []Match{
			{
				At: []string{
					"net/http.(*Transport).dialConnFor",
					"net/http.(*Transport).startDialConnFor",
					"net/http.(*Transport).startDialConnForLocked",
					"net/http.(*Transport).dialConn",
					"net/http.(*http2clientConnPool).*",
					"net/http.(*http2dialCall).dial",
					"golang.org/x/net/http2.(*dialCall).dial",
					"net.(*netFD).connect",
					"net.(*sysDialer).dialParallel",
					"net.(*Dialer).DialContext",
					"crypto/tls.(*Conn).handshakeContext",
				},
				Creator: []string{
					"net/http.*",
					"net.*",
					"golang.org/x/net/http2.*",
					"crypto/tls.*",
				},
			},
		},
	},
	{
		Name: "http-cancel-watch",
		Doc:  "watches for the cancellation of one client request",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"net/http.setRequestCancel",
					"net/http.(*Client).do",
					"net/http.send",
					"net/http.(*cancelTimerBody).*",
					"net/http.prepareTransportCancel",
				},
				Creator: []string{
					"net/http.setRequestCancel",
					"net/http.send",
					"net/http.prepareTransportCancel",
				},
			},
		},
	},
	{
		Name: "dns-lookup",
		Doc:  "resolves a name",
		Match: []Match{
			{
				Root: []string{
					"net.(*Resolver).*",
					"net.doBlockingWithCtx",
					"net.cgoLookup*",
					"net.cgoResSearch",
					"net.resolverGetPTR",
					"net.(*resolverConfig).*",
					"internal/singleflight.(*Group).doCall",
				},
				Creator: []string{
					"net.*",
					"internal/singleflight.*",
				},
			},
		},
	},
	{
		Name: "websocket-read",
		Doc:  "waits for the next message of a websocket",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"io",
					"chan receive",
					"select",
					"running",
					"runnable",
				},
				At: []string{
					"**/gorilla/websocket.(*Conn).NextReader",
					"**/gorilla/websocket.(*Conn).ReadMessage",
					"**/gorilla/websocket.(*messageReader).Read",
					"nhooyr.io/websocket.(*Conn).*",
					"github.com/coder/websocket.(*Conn).*",
					"golang.org/x/net/websocket.*",
					"github.com/gobwas/ws.*",
				},
				Through: []string{
					"**/gorilla/websocket.*",
					"nhooyr.io/websocket.*",
					"github.com/coder/websocket.*",
					"golang.org/x/net/websocket.*",
				},
			},
		},
	},
	{
		Name: "quic",
		Doc:  "carries a QUIC connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"**/quic-go.*",
					"**/quic-go/http3.*",
					"golang.org/x/net/quic.*",
				},
				Through: []string{
					"**/quic-go/**",
					"golang.org/x/net/**",
				},
			},
		},
	},
	{
		Name: "http-client-helper",
		Doc:  "carries the body of a request or response",
		Match: []Match{
			{
				At: []string{
					"net/http.(*bodyEOFSignal).*",
					"net/http.(*http2pipe).Read",
					"io.(*pipe).read",
				},
				Creator: []string{
					"net/http.*",
					"mime/multipart.*",
					"net/http/httputil.*",
				},
			},
		},
	},
	{
		Name: "http-proxy-copy",
		Doc:  "copies one direction of a proxied connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"io",
					"chan receive",
					"select",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"net/http/httputil.switchProtocolCopier.*",
					"net/http/httputil.(*ReverseProxy).*",
				},
			},
		},
	},
	{
		Name: "rpc",
		Doc:  "reads the messages of a net/rpc connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"io",
					"chan receive",
					"select",
					"running",
					"runnable",
				},
				At: []string{
					"net/rpc.*",
					"net/rpc/jsonrpc.*",
				},
			},
		},
	},
	{
		Name: "log-flush",
		Doc:  "writes buffered log lines out from time to time",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"k8s.io/klog.(*loggingT).flushDaemon",
					"k8s.io/klog.(*flushDaemon).run",
					"github.com/golang/glog.(*loggingT).flushDaemon",
					"github.com/golang/glog.(*fileSink).flushDaemon",
					"**/glog.(*loggingT).flushDaemon",
					"go.uber.org/zap/zapcore.(*BufferedWriteSyncer).flushLoop",
					"github.com/cihub/seelog.*",
					"k8s.io/component-base/logs.*",
					"k8s.io/kubernetes/pkg/util/logs.*",
				},
				Through: []string{
					"k8s.io/apimachinery/pkg/util/wait.*",
					"k8s.io/klog.*",
					"k8s.io/utils/clock.*",
				},
			},
		},
	},
	{
		Name: "log-pipe",
		Doc:  "waits for lines that a library writes into a logger",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/sirupsen/logrus.(*Entry).writerScanner",
					"github.com/sirupsen/logrus.(*Logger).writerScanner",
					"github.com/hashicorp/go-hclog.*",
				},
			},
		},
	},
	{
		Name: "log-rotate",
		Doc:  "waits for log files to compress or to delete",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"**/lumberjack.v2.(*Logger).millRun",
					"**/lumberjack.(*Logger).millRun",
					"**/lumberjack.(*Logger).mill",
					"github.com/lestrrat-go/file-rotatelogs.*",
				},
			},
		},
	},
	{
		Name: "telemetry",
		Doc:  "collects measurements or traces and sends them from time to time",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"cond",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"go.opentelemetry.io/otel/sdk/**",
					"go.opentelemetry.io/otel/exporters/**",
					"go.opencensus.io/stats/view.(*worker).start",
					"go.opencensus.io/**",
					"github.com/uber/jaeger-client-go.*",
					"github.com/openzipkin/zipkin-go/**",
					"gopkg.in/DataDog/dd-trace-go.v1/**",
					"github.com/DataDog/dd-trace-go/**",
					"github.com/DataDog/datadog-go/**",
					"github.com/prometheus/client_golang/**",
					"github.com/prometheus/statsd_exporter/**",
					"github.com/rcrowley/go-metrics.*",
					"github.com/armon/go-metrics.*",
					"github.com/hashicorp/go-metrics.*",
					"github.com/cactus/go-statsd-client/**",
					"github.com/smira/go-statsd.*",
					"github.com/getsentry/sentry-go.*",
					"github.com/newrelic/go-agent/**",
					"github.com/grafana/pyroscope-go/**",
					"cloud.google.com/go/profiler.*",
				},
				Through: []string{
					"go.opentelemetry.io/otel/**",
					"go.opencensus.io/**",
					"github.com/DataDog/**",
				},
			},
		},
	},
	{
		Name: "sql-pool",
		Doc:  "opens and closes the connections of a database pool as they are asked for",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"database/sql.(*DB).connectionOpener",
					"database/sql.(*DB).connectionResetter",
					"database/sql.(*DB).connectionCleaner",
					"github.com/jackc/pgx/pgxpool.*",
					"github.com/jackc/puddle.*",
				},
				Creator: []string{
					"database/sql.*",
					"github.com/jackc/**",
				},
			},
		},
	},
	{
		Name: "sql-cancel-watch",
		Doc:  "watches for the end of one query or transaction",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"running",
					"runnable",
				},
				Root: []string{
					"database/sql.(*Rows).initContextClose",
					"database/sql.(*DB).beginDC",
				},
				Creator: []string{
					"database/sql.(*Rows).initContextClose",
					"database/sql.(*DB).beginDC",
				},
			},
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"running",
					"runnable",
				},
				At: []string{
					"database/sql.(*Tx).awaitDone",
					"database/sql.(*Rows).awaitDone",
					"github.com/go-sql-driver/mysql.(*mysqlConn).startWatcher",
					"github.com/lib/pq.(*conn).watchCancel",
					"github.com/lib/pq.(*stmt).watchCancel",
					"github.com/jackc/pgx/pgconn/ctxwatch.*",
					"github.com/jackc/pgx/pgconn/internal/ctxwatch.*",
					"github.com/jackc/pgconn/internal/ctxwatch.*",
				},
			},
		},
	},
	{
		Name: "postgres-listener",
		Doc:  "waits for notifications of a PostgreSQL server",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/lib/pq.(*Listener).*",
					"github.com/lib/pq.(*ListenerConn).*",
					"github.com/jackc/pgx.(*Conn).WaitForNotification",
				},
				Through: []string{
					"github.com/lib/pq.*",
					"github.com/jackc/**",
				},
			},
		},
	},
	{
		Name: "etcd-client",
		Doc:  "keeps an etcd client's watches and leases alive",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"go.etcd.io/etcd/client.(*watchGrpcStream).*",
					"go.etcd.io/etcd/client.(*watchGRPCStream).*",
					"go.etcd.io/etcd/client.(*lessor).*",
					"go.etcd.io/etcd/client.(*Client).autoSync",
					"go.etcd.io/etcd/client.(*watcher).*",
					"go.etcd.io/etcd/client/concurrency.*",
					"go.etcd.io/etcd/clientv3.(*watchGrpcStream).*",
					"go.etcd.io/etcd/clientv3.(*lessor).*",
					"go.etcd.io/etcd/clientv3.(*Client).autoSync",
					"go.etcd.io/etcd/clientv3/concurrency.*",
					"github.com/coreos/etcd/clientv3.(*watchGrpcStream).*",
					"github.com/coreos/etcd/clientv3.(*lessor).*",
				},
			},
		},
	},
	{
		Name: "etcd-server",
		Doc:  "runs a loop of an etcd member",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"cond",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"go.etcd.io/etcd/server/**",
					"go.etcd.io/etcd/etcdserver/**",
					"go.etcd.io/etcd/mvcc.*",
					"go.etcd.io/etcd/lease.*",
					"go.etcd.io/etcd/raft.(*node).run",
					"go.etcd.io/raft.(*node).run",
					"go.etcd.io/etcd/raft/**",
					"go.etcd.io/etcd/pkg/schedule.*",
					"go.etcd.io/etcd/wal.*",
					"github.com/k3s-io/kine/**",
				},
				Through: []string{
					"go.etcd.io/etcd/**",
				},
			},
		},
	},
	{
		Name: "redis-client",
		Doc:  "looks after a pool of Redis connections or waits for messages",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/redis/go-redis/**",
					"github.com/go-redis/redis/**",
				},
				Creator: []string{
					"github.com/redis/go-redis/**",
					"github.com/go-redis/redis/**",
				},
			},
		},
	},
	{
		Name: "mongo-client",
		Doc:  "watches a MongoDB server and its pool of connections",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"cond",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"go.mongodb.org/mongo-driver/x/mongo/driver/topology.*",
				},
				Through: []string{
					"go.mongodb.org/**",
				},
				Creator: []string{
					"go.mongodb.org/**",
				},
			},
		},
	},
	{
		Name: "kafka-client",
		Doc:  "runs a loop of a Kafka client",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"cond",
					"io",
					"cgo",
					"syscall",
					"running",
					"runnable",
				},
				At: []string{
					"**/sarama.*",
					"github.com/twmb/franz-go/pkg/kgo.*",
					"github.com/segmentio/kafka-go.*",
					"github.com/confluentinc/confluent-kafka-go/**",
				},
				Through: []string{
					"**/sarama.*",
					"github.com/twmb/franz-go/**",
					"github.com/segmentio/kafka-go/**",
				},
				Creator: []string{
					"**/sarama.*",
					"github.com/twmb/franz-go/**",
					"github.com/segmentio/kafka-go.*",
					"github.com/confluentinc/confluent-kafka-go/**",
				},
			},
		},
	},
	{
		Name: "nats-client",
		Doc:  "reads, writes or hands on the messages of a NATS connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"cond",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/nats-io/nats.go.*",
					"github.com/nats-io/nats%2ego.*",
					"github.com/nats-io/nats.go/jetstream.*",
					"github.com/nats-io/go-nats.*",
				},
				Creator: []string{
					"github.com/nats-io/**",
				},
			},
		},
	},
	{
		Name: "nats-server",
		Doc:  "serves a NATS client or runs a loop of the server",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"cond",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/nats-io/nats-server/server.(*client).readLoop",
					"github.com/nats-io/nats-server/server.(*client).writeLoop",
					"github.com/nats-io/nats-server/server.(*Server).acceptConnections",
					"github.com/nats-io/nats-server/server.(*Server).AcceptLoop",
					"github.com/nats-io/nats-server/server.(*Server).internalSendLoop",
					"github.com/nats-io/nats-server/server.(*Server).internalReceiveLoop",
					"github.com/nats-io/nats-server/server.(*Server).startGoRoutine",
					"github.com/nats-io/nats-server/server.(*consumer).loopAndGatherMsgs",
					"github.com/nats-io/nats-server/server.(*consumer).loopAndForwardProposals",
					"github.com/nats-io/nats-server/server.(*consumer).processInboundAcks",
					"github.com/nats-io/nats-server/server.(*stream).internalLoop",
					"github.com/nats-io/nats-server/server.(*fileStore).*",
					"github.com/nats-io/nats-server/server.(*consumerFileStore).*",
					"github.com/nats-io/nats-server/server.(*raft).*",
				},
				Creator: []string{
					"github.com/nats-io/nats-server/server.*",
				},
			},
		},
	},
	{
		Name: "amqp-client",
		Doc:  "reads the frames of an AMQP connection or waits for deliveries",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/rabbitmq/amqp091-go.*",
					"github.com/streadway/amqp.*",
				},
				Creator: []string{
					"github.com/rabbitmq/amqp091-go.*",
					"github.com/streadway/amqp.*",
				},
			},
		},
	},
	{
		Name: "mqtt-client",
		Doc:  "reads, writes or hands on the messages of an MQTT connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/eclipse/paho%2emqtt%2egolang.*",
					"github.com/eclipse/paho.mqtt.golang.*",
					"github.com/eclipse/paho.golang/**",
				},
				Creator: []string{
					"github.com/eclipse/**",
				},
			},
		},
	},
	{
		Name: "embedded-store",
		Doc:  "runs a loop of an embedded database",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/dgraph-io/badger/**",
					"github.com/dgraph-io/ristretto/**",
					"go.etcd.io/bbolt.*",
					"github.com/cockroachdb/pebble/**",
					"github.com/syndtr/goleveldb/**",
				},
				Through: []string{
					"github.com/dgraph-io/**",
				},
				Creator: []string{
					"github.com/dgraph-io/**",
					"go.etcd.io/bbolt.*",
					"github.com/cockroachdb/pebble/**",
					"github.com/syndtr/goleveldb/**",
				},
			},
		},
	},
	{
		Name: "cluster-membership",
		Doc:  "runs a loop of a gossip or consensus library",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"io",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/hashicorp/memberlist.*",
					"github.com/hashicorp/serf/**",
					"github.com/hashicorp/raft.*",
				},
				Creator: []string{
					"github.com/hashicorp/**",
				},
			},
		},
	},
	{
		Name: "multiplexed-session",
		Doc:  "reads or writes the frames of a multiplexed connection",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"io",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"**/yamux.(*Session).*",
					"**/smux.(*Session).*",
					"**/go-plugin.*",
					"golang.org/x/crypto/ssh.(*mux).*",
					"golang.org/x/crypto/ssh.(*handshakeTransport).*",
					"golang.org/x/crypto/ssh.DiscardRequests",
				},
				Through: []string{
					"**/yamux.*",
					"**/smux.*",
					"golang.org/x/crypto/ssh.*",
				},
				Creator: []string{
					"**/yamux.*",
					"**/smux.*",
					"**/go-plugin.*",
					"golang.org/x/crypto/ssh.*",
				},
			},
		},
	},
	{
		Name: "memory-cache-janitor",
		Doc:  "drops expired entries of a cache from time to time",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/patrickmn/go-cache.(*janitor).Run",
					"github.com/pmylund/go-cache.(*janitor).Run",
					"github.com/hashicorp/golang-lru/expirable.*",
					"github.com/jellydator/ttlcache.*",
					"github.com/karlseguin/ccache.*",
					"github.com/allegro/bigcache.*",
					"k8s.io/apimachinery/pkg/util/cache.*",
				},
			},
		},
	},
	{
		Name: "scheduler",
		Doc:  "waits for the next job of a schedule",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/robfig/cron.(*Cron).run",
					"github.com/go-co-op/gocron.*",
					"github.com/jasonlvhit/gocron.*",
				},
			},
		},
	},
	{
		Name: "worker-pool",
		Doc:  "waits for a task, or looks after a pool of workers",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/panjf2000/ants.(*goWorker).run",
					"github.com/panjf2000/ants.(*goWorkerWithFunc).run",
					"github.com/panjf2000/ants.(*Pool).purgeStaleWorkers",
					"github.com/panjf2000/ants.(*Pool).ticktock",
					"github.com/panjf2000/ants.(*poolCommon).*",
					"github.com/gammazero/workerpool.*",
					"github.com/alitto/pond.*",
					"github.com/Jeffail/tunny.*",
				},
				Creator: []string{
					"github.com/panjf2000/ants.*",
					"github.com/gammazero/workerpool.*",
					"github.com/alitto/pond.*",
					"github.com/Jeffail/tunny.*",
				},
			},
		},
	},
	{
		Name: "file-watch",
		Doc:  "waits for changes of files",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"io",
					"syscall",
					"select",
					"chan receive",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/fsnotify/fsnotify.*",
					"gopkg.in/fsnotify.v1.*",
					"gopkg.in/fsnotify%2ev1.*",
					"github.com/fsnotify/fsnotify/internal.*",
					"github.com/howeyc/fsnotify.*",
					"golang.org/x/exp/inotify.*",
					"k8s.io/utils/inotify.*",
				},
			},
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/spf13/viper.(*Viper).WatchConfig",
				},
			},
		},
	},
	{
		Name: "cgroup-watch",
		Doc:  "waits for events of a control group or of a container",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"io",
					"syscall",
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"github.com/containerd/cgroups/**",
					"github.com/opencontainers/runc/libcontainer/**",
					"github.com/containerd/containerd/**",
					"github.com/google/cadvisor/**",
				},
				Creator: []string{
					"github.com/containerd/**",
					"github.com/opencontainers/runc/**",
					"github.com/google/cadvisor/**",
				},
			},
		},
	},
	{
		Name: "signal-watch",
		Doc:  "waits for signals",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"syscall",
					"chan receive",
					"select",
					"idle",
					"other",
					"running",
					"runnable",
				},
				At: []string{
					"os/signal.loop",
					"os/signal.signal_recv",
					"os/signal.NotifyContext",
					"**/signals.SetupSignal*",
					"**/signals.RegisterSignal*",
					"k8s.io/apiserver/pkg/server.SetupSignalContext",
					"k8s.io/apiserver/pkg/server.SetupSignalHandler",
					"sigs.k8s.io/controller-runtime/pkg/manager/signals.*",
					"github.com/rancher/wrangler/pkg/signals.*",
					"github.com/oklog/run.SignalHandler",
					"github.com/docker/docker/pkg/signal.*",
					"runtime.ensureSigM",
				},
			},
		},
	},
	{
		Name: "context-watch",
		Doc:  "waits for a context to end, to end those made from it",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"running",
					"runnable",
				},
				At: []string{
					"context.propagateCancel",
					"context.(*cancelCtx).propagateCancel",
					"context.WithDeadlineCause",
					"k8s.io/apimachinery/pkg/util/wait.contextForChannel",
					"k8s.io/apimachinery/pkg/util/wait.ContextForChannel",
					"k8s.io/apimachinery/pkg/util/wait.WithContext",
				},
			},
		},
	},
	{
		Name: "child-process",
		Doc:  "copies a child process's output, or watches for the end of its context",
		Idle: true,
		Match: []Match{
			{
				At: []string{
					"os/exec.(*Cmd).Start",
					"os/exec.(*Cmd).watchCtx",
					"os/exec.(*Cmd).writerDescriptor",
					"os/exec.(*Cmd).stdin",
					"os/exec.(*Cmd).stdout",
					"os/exec.(*Cmd).stderr",
				},
				Creator: []string{
					"os/exec.*",
				},
			},
		},
	},
	{
		Name: "child-process-wait",
		Doc:  "waits for a child process to end",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"syscall",
					"running",
					"runnable",
				},
				At: []string{
					"os.(*Process).Wait",
					"os.(*Process).wait",
					"os.(*Process).blockUntilWaitable",
					"os.(*Process).pidfdWait",
				},
			},
		},
	},
	{
		Name: "profile",
		Doc:  "writes a CPU profile or an execution trace",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"sleep",
					"select",
					"chan receive",
					"gc",
					"idle",
					"other",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"runtime/pprof.profileWriter",
					"runtime/pprof.StartCPUProfile",
					"runtime/trace.Start",
					"runtime/trace.*",
					"net/http/pprof.sleep",
					"runtime.(*traceAdvancerState).start",
					"runtime.ReadTrace",
					"runtime.traceReader*",
					"runtime.traceStartReadCPU",
				},
			},
		},
	},
	{
		Name: "dump-writer",
		Doc:  "writes this dump",
		Match: []Match{
			{
				Class: []stackparse.Class{
					"running",
					"runnable",
				},
				At: []string{
					"runtime/pprof.writeGoroutineStacks",
					"runtime/pprof.writeRuntimeProfile",
					"runtime/pprof.runtime_goroutineProfileWithLabels",
					"runtime/pprof.pprof_goroutineProfileWithLabels",
					"runtime/pprof.writeGoroutine",
					"runtime/pprof.writeGoroutineLeak",
					"runtime/pprof.(*Profile).WriteTo",
					"runtime/pprof.Profile.WriteTo",
					"runtime.Stack",
					"runtime/debug.Stack",
					"runtime.GoroutineProfile",
				},
				Except: []Match{
					{
						Frames: FramesMatch{
							Any: []string{
								"runtime.gopanic",
								"panic",
								"runtime/debug.PrintStack",
							},
						},
					},
				},
			},
		},
	},
	{
		Name: "test",
		Doc:  "waits for a test or benchmark that it runs",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"chan receive",
					"select",
					"waitgroup",
					"semaphore",
					"running",
					"runnable",
				},
				At: []string{
					"testing.(*T).Run",
					"testing.(*T).Parallel",
					"testing.(*testContext).waitParallel",
					"testing.(*testState).waitParallel",
					"testing.runTests",
					"testing.(*M).Run",
					"testing.(*B).run",
					"testing.(*B).run1",
					"testing.(*B).Run",
					"testing.(*B).doBench",
					"testing.runBenchmarks",
					"testing.tRunner",
					"testing.(*F).Fuzz",
					"testing.(*F).Run",
					"testing/synctest.*",
				},
			},
		},
	},
	{
		Name: "expvar-trace",
		Doc:  "recycles records of recent requests",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"sleep",
					"running",
					"runnable",
				},
				At: []string{
					"golang.org/x/net/trace.*",
				},
			},
		},
	},
	{
		Name: "gc-worker",
		Doc:  "the garbage collector's worker, one for each processor",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"runtime.gcBgMarkWorker",
					"runtime.gcBgMarkWorker1",
					"runtime.gcBgMarkStartWorkers",
				},
			},
		},
	},
	{
		Name: "runtime-memory",
		Doc:  "the runtime sweeps, returns or collects memory",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"runtime.bgsweep",
					"runtime.bgscavenge",
					"runtime.forcegchelper",
					"runtime.MHeap_Scavenger",
					"runtime.gcenable",
					"runtime.backgroundgc",
					"runtime.(*scavengerState).*",
					"runtime.init.5",
				},
			},
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				Creator: []string{
					"runtime.gcenable",
					"runtime.gcBgMarkStartWorkers",
				},
			},
		},
	},
	{
		Name: "finalizers",
		Doc:  "waits for finalizers or cleanups to run",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"runtime.runfinq",
					"runtime.runFinalizers",
					"runtime.runCleanups",
					"runtime.(*cleanupQueue).*",
				},
			},
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"unique.runtime_registerUniqueMapCleanup",
					"unique.registerCleanup",
					"unique.*",
					"runtime.unique_runtime_registerUniqueMapCleanup",
				},
				Creator: []string{
					"unique.*",
					"runtime.*",
				},
			},
		},
	},
	{
		Name: "runtime-timers",
		Doc:  "the runtime waits for the next timer",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"runtime.timerproc",
					"time.goFunc",
				},
			},
		},
	},
	{
		Name: "runtime-helper",
		Doc:  "a helper of the runtime",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"runtime.updateMaxProcsGoroutine",
					"runtime.cgoCallback*",
					"runtime.runPerThreadSyscall",
					"runtime.templateThread",
					"runtime.(*traceMultiplexer).*",
				},
			},
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				Root: []string{
					"runtime.*",
				},
				Creator: []string{
					"runtime.main",
					"runtime.init",
					"runtime.createfing",
					"runtime.defaultGOMAXPROCSUpdateEnable",
				},
			},
		},
	},
	{
		Name: "thread",
		Doc:  "a thread's own stack, between goroutines",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"gc",
					"idle",
					"other",
					"chan receive",
					"select",
					"sleep",
					"semaphore",
					"syscall",
					"cond",
					"running",
					"runnable",
				},
				At: []string{
					"runtime.schedule",
					"runtime.mcall",
					"runtime.park_m",
					"runtime.mstart",
					"runtime.mstart0",
					"runtime.mstart1",
					"runtime.sysmon",
					"runtime.findRunnable",
					"runtime.findrunnable",
					"runtime.goexit0",
					"runtime.systemstack",
					"runtime.stopm",
				},
			},
		},
	},
	{
		Name: "main",
		Doc:  "main waits for a signal or for its servers to end",
		Idle: true,
		Match: []Match{
			{
				Class: []stackparse.Class{
					"select",
					"chan receive",
					"select no cases",
				},
				Root: []string{
					"main.main",
				},
			},
			{
				Class: []stackparse.Class{
					"waitgroup",
					"semaphore",
					"chan receive",
				},
				At: []string{
					"golang.org/x/sync/errgroup.(*Group).Wait",
					"github.com/oklog/run.(*Group).Run",
					"k8s.io/apimachinery/pkg/util/wait.(*Group).Wait",
				},
				Root: []string{
					"main.main",
				},
			},
		},
	},
}
