package main

import (
	"fmt"
	"os"
	"syscall"

	"github.com/spf13/cobra"
)

// A program is a service; where err is nil, it is healthy, and live is its life.
type program struct {
	name, namespace, service string
	runs                     int // 1 for one, 0 where the name decides
	msg                      string
	err                      func() error
	live                     func(l logger)
}

func run(name string, l logger) {
	for _, p := range programs() {
		if p.name != name {
			continue
		}
		if p.live != nil {
			p.live(l)
			return
		}
		start(l, p.service)
		if libOf(name) == "cobra" {
			command(p)
		}
		l.fatal(p.err(), p.msg)
	}
}

func start(l logger, service string) {
	l.info("starting "+service, "version", "v1.14.2", "commit", "9c1f0de")
	l.info("loaded configuration", "workers", 8)
	l.info("metrics server listening", "addr", ":8081")
}

// command runs a cobra command that fails.
func command(p program) {
	c := &cobra.Command{Use: p.service, SilenceErrors: p.msg != "", SilenceUsage: p.msg != "",
		RunE: func(*cobra.Command, []string) error { return p.err() }}
	c.Flags().String("config", "/etc/"+p.service+"/config.yaml", "the configuration")
	c.Flags().Int("retention-days", 30, "how long to keep what was sent")
	c.SetArgs([]string{})
	if p.service == "janitor" {
		c.SetArgs([]string{"--retention-dayz=30"})
	}
	if err := c.Execute(); err != nil {
		if p.msg != "" {
			fmt.Fprintf(os.Stderr, "%s: %v\n", p.msg, err)
		}
		os.Exit(1)
	}
}

func programs() []program { return append(faults(), healthy()...) }

func faults() []program {
	f := func(name, ns, service, msg string, err func() error) program {
		return program{name: name, namespace: ns, service: service, msg: msg, err: err}
	}
	return []program{
		f("log-db-refused", "shop", "ledger", "open the ledger", func() error { return wrap("connect to database", refused("10.96.14.7:5432")) }),
		f("log-cert-expired", "shop", "tokens", "", func() error { return expired("https://vault.security.svc:8200/v1/auth/kubernetes/login") }),
		f("log-no-config", "shop", "ledger", "read configuration", func() error { return at("open", "/etc/ledger/config.yaml", syscall.ENOENT) }),
		f("log-port", "shop", "edge", "", func() error { return listen("[::]:8443", syscall.EADDRINUSE) }),
		f("slogtext-dns", "shop", "orders", "could not connect to the database", func() error { return noHost("orders-db.shop.svc", "5432") }),
		f("slogtext-auth", "shop", "orders", "migrations failed", func() error {
			return said("failed to connect to `user=orders database=orders`: 10.96.88.12:5432 (orders-db): failed SASL auth: FATAL: password authentication failed for user \"orders\" (SQLSTATE 28P01)")
		}),
		f("slogtext-data-full", "mail", "mailer", "opening the queue", func() error { return at("write", "/var/lib/mail/queue.db", syscall.ENOSPC) }),
		f("slogtext-api-timeout", "infra", "syncer", "cannot read its configuration", func() error {
			return wrap("unable to load configmap based request-header-client-ca-file",
				get("https://10.43.0.1:443/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication", ioTimeout("10.43.0.1:443")))
		}),
		f("slogjson-ca", "build", "puller", "cannot pull the base image", func() error { return unknownCA("https://registry.internal:5000/v2/") }),
		f("slogjson-secret-denied", "shop", "gateway", "loading the key pair", func() error { return at("open", "/run/secrets/tls.key", syscall.EACCES) }),
		f("slogjson-broker-refused", "shop", "events", "consumer stopped", func() error {
			return wrap("kafka: client has run out of available brokers to talk to", refused("10.110.3.9:9092"))
		}),
		f("slogjson-env", "shop", "reports", "invalid configuration", func() error { return said("required key REPORT_BUCKET missing value") }),
		f("zapjson-etcd-deadline", "infra", "registry", "failed to read the first revision", func() error { return deadline("etcdclient: get /registry/health from 10.0.7.21:2379") }),
		f("zapjson-wrong-name", "shop", "catalog", "warm-up failed", func() error {
			return wrongName("https://cache.internal/items", "cache.internal", "cache-0.shop.svc", "cache.shop.svc")
		}),
		f("zapjson-bind", "shop", "catalog", "http server failed", func() error { return listen("[::]:9090", syscall.EADDRINUSE) }),
		f("zapjson-quota", "batch", "planner", "cannot create its workers", func() error {
			return said(`pods "planner-worker-0" is forbidden: exceeded quota: compute-small, requested: limits.cpu=2, used: limits.cpu=7, limited: limits.cpu=8`)
		}),
		f("zapconsole-manager-refused", "operators", "gadget-operator", "unable to start manager", func() error {
			return wrap("failed to determine if *v1.Gadget is namespaced: failed to get restmapping: failed to get server groups",
				get("https://10.96.0.1:443/api?timeout=32s", refused("10.96.0.1:443")))
		}),
		f("zapconsole-webhook-cert", "operators", "gadget-operator", "problem running manager", func() error {
			return at("open", "/tmp/k8s-webhook-server/serving-certs/tls.crt", syscall.ENOENT)
		}),
		f("zapconsole-crd-version", "operators", "gadget-operator", "unable to create controller", func() error {
			return said(`no matches for kind "Gadget" in version "things.example.com/v1beta2"`)
		}),
		f("zapconsole-lease", "operators", "gadget-operator", "problem running manager", func() error { return said("leader election lost") }),
		f("zerolog-redis-auth", "shop", "sessions", "session store", func() error {
			return said("redis 10.96.200.4:6379: WRONGPASS invalid username-password pair or user is disabled.")
		}),
		f("zerolog-nats-dns", "shop", "relay", "nats", func() error { return noHost("nats.messaging.svc", "4222") }),
		f("zerolog-spool", "mail", "spooler", "cannot create the spool", func() error { return at("mkdir", "/data/spool", syscall.EACCES) }),
		f("zerolog-upstream", "shop", "proxy", "first health check of the upstream", func() error { return get("http://192.0.2.44:8080/healthz", ioTimeout("192.0.2.44:8080")) }),
		f("logrustext-schema", "shop", "invoices", "migration", func() error {
			return said("database invoices has schema version 41, this binary supports up to version 38")
		}),
		f("logrustext-mysql", "shop", "stock", "db", func() error {
			return wrap("ping 10.96.61.3:3306", said("Error 1045 (28000): Access denied for user 'stock'@'10.244.1.7' (using password: YES)"))
		}),
		f("logrustext-cert-expired", "auth", "login", "OIDC discovery", func() error { return expired("https://idp.example.com/.well-known/openid-configuration") }),
		f("logrustext-quota", "media", "uploads", "the upload folder is not writable", func() error { return at("write", "/srv/uploads/.probe", syscall.EDQUOT) }),
		f("logrusjson-amqp", "shop", "billing", "Failed to connect to RabbitMQ", func() error { return refused("10.97.5.5:5672") }),
		f("logrusjson-token", "infra", "watcher", "initial list", func() error { return wrap("failed to list *v1.ConfigMap: configmaps", said("Unauthorized")) }),
		f("logrusjson-missing-key", "auth", "signer", "no signing key", func() error { return at("open", "/etc/pki/signing/key.pem", syscall.ENOENT) }),
		f("logrusjson-slow-api", "infra", "watcher", "caches did not sync", func() error {
			return get("https://10.96.0.1:443/apis/apps/v1/deployments?limit=500", deadlineExceeded())
		}),
		f("klog-command-failed", "kube-system", "kube-apiserver", "command failed", func() error {
			return wrap("create storage: connection error: desc = \"transport: Error while dialing\"", refused("127.0.0.1:2379"))
		}),
		f("klog-forbidden", "kube-system", "cloud-controller", "failed to load the cloud configuration", func() error {
			return said(`configmaps "cloud-config" is forbidden: User "system:serviceaccount:kube-system:cloud-controller" cannot get resource "configmaps" in API group "" in the namespace "kube-system"`)
		}),
		f("klog-lease", "kube-system", "snapshot-controller", "ending", func() error { return said("leaderelection lost") }),
		f("klog-kubeconfig", "kube-system", "kube-scheduler", "command failed", func() error {
			return wrap("stat kubeconfig", at("stat", "/etc/kubernetes/scheduler.conf", syscall.ENOENT))
		}),
		f("cobra-flag", "batch", "janitor", "", func() error { return nil }),
		f("cobra-dial", "batch", "worker", "", func() error { return wrap("connecting to the queue", noHost("queue.batch.svc", "6379")) }),
		f("cobra-listen", "edge", "edge", "edge", func() error { return listen("0.0.0.0:80", syscall.EACCES) }),
		f("cobra-readonly", "node", "agent", "agent", func() error { return at("open", "/etc/agent/state.json", syscall.EROFS) }),
	}
}
