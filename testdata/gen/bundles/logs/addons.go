package logs

import "time"

// Addons are what nearly every cluster runs beside the control plane. The rates of the talkative ones are those that were
// measured in healthy clusters: an operator of one line two to three times a second, a proxy that logs each request.
func Addons() []*Component {
	return []*Component{
		{
			Name: "coredns", Namespace: "kube-system", Owner: "Deployment", Replicas: 2, Format: Bare,
			Starts: []Saying{
				info("", `.:53`),
				info("", `[INFO] plugin/reload: Running configuration SHA512 = {{hex:128-128}}`),
				info("", `CoreDNS-1.11.3`),
				info("", `linux/amd64, go1.22.9, a6338e9`),
			},
			Says: []Saying{
				info("", `[INFO] {{ip}}:{{n:30000-60000}} - {{n:1000-65000}} "A IN {{app}}.{{ns}}.{{zone}} udp {{n:40-80}} false 1232" NOERROR qr,aa,rd {{n:90-160}} 0.000{{z:90-999}}s`).every(1500 * time.Millisecond),
				info("", `[INFO] {{ip}}:{{n:30000-60000}} - {{n:1000-65000}} "AAAA IN {{app}}.{{ns}}.{{zone}} udp {{n:40-80}} false 1232" NXDOMAIN qr,aa,rd {{n:120-180}} 0.000{{z:90-999}}s`).every(2 * second),
			},
		},
		{
			Name: "kube-proxy", Namespace: "kube-system", Owner: "DaemonSet", Format: Klog,
			Starts: []Saying{
				info("server_linux.go:66", `"Using iptables proxy"`),
				info("server.go:677", `"Successfully retrieved node IP(s)" IPs=["192.168.40.11"]`),
				info("shared_informer.go:320", `Caches are synced for service config`),
			},
			Says: []Saying{
				info("proxier.go:805", `"SyncProxyRules complete" elapsed="{{n:18-140}}.{{n:1-9}}ms"`).every(40 * second),
				info("proxier.go:1494", `"Reloading service iptables data" numServices={{n:40-60}} numEndpoints={{n:100-160}} numFilterChains=6 numFilterRules={{n:5-9}} numNATChains={{n:20-90}} numNATRules={{n:60-220}}`).every(40 * second),
			},
		},
		{
			Name: "metrics-server", Namespace: "kube-system", Owner: "Deployment", Replicas: 1, Format: Klog,
			Starts: []Saying{info("serving.go:374", `Generated self-signed cert (/tmp/apiserver.crt, /tmp/apiserver.key)`), info("secure_serving.go:213", `Serving securely on :10250`)},
			Says: []Saying{
				info("server.go:136", `"Scraping metrics from nodes" nodes=["node-a1","node-a2","node-a3"] nodeCount=3 nodeSelector=""`).steady(15 * second),
				info("server.go:139", `"Scraping node" node="node-a1"`).steady(15 * second),
				info("server.go:139", `"Scraping node" node="node-a2"`).steady(15 * second),
				info("server.go:139", `"Scraping node" node="node-a3"`).steady(15 * second),
				info("server.go:154", `"Scrape finished" duration="{{n:12-90}}.{{z:1-999}}ms" nodeCount=3 podCount={{n:70-90}}`).steady(15 * second),
			},
		},
		{
			Name: "canal", Namespace: "kube-system", Owner: "DaemonSet", Format: Felix,
			Starts: []Saying{info("felix/daemon.go 178", `Felix starting up GOMAXPROCS=4 builddate="2026-01-12" version="v3.29.1"`)},
			Says: []Saying{
				info("monitor-addresses/autodetection_methods.go 103", `Using autodetected IPv4 address on interface eth0: 192.168.40.11/24`).steady(minute),
				info("felix/summary.go 100", `Summarising {{n:6-14}} dataplane reconciliation loops over 1m2.{{n:1-9}}s: avg={{n:3-30}}ms longest={{n:30-190}}ms (resync-nat-v4,resync-raw-v4)`).steady(62 * second),
			},
		},
		{
			Name: "ingress-nginx-controller", Namespace: "ingress-nginx", Owner: "DaemonSet", Format: Access,
			Says: []Saying{
				info("", `"{{verb}} {{path}} HTTP/1.1" {{code}} {{n:120-90000}} "-" "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" {{n:200-900}} 0.{{z:1-999}} [{{ns}}-{{app}}-80] [] {{ip}}:8080 {{n:120-90000}} 0.{{z:1-999}} {{code}} {{hex:32-32}}`).every(900 * time.Millisecond),
				info("", `"GET /healthz HTTP/1.1" 200 0 "-" "kube-probe/1.31" 110 0.000 [] [] - - - - {{hex:32-32}}`).steady(10 * second),
			},
		},
		{
			Name: "edge-haproxy", Namespace: "ingress-nginx", Owner: "Deployment", Replicas: 1, Format: Bare,
			Says: []Saying{
				info("", `{{ip}}:{{n:30000-60000}} [{{clf}}.{{z:1-999}}] public~ be_{{ns}}/{{app}} 0/0/1/{{n:1-90}}/{{n:2-120}} {{code}} {{n:200-9000}} - - ---- {{n:1-90}}/{{n:1-90}}/0/0/0 0/0 "{{verb}} {{path}} HTTP/1.1"`).every(4 * minute).burst(120),
			},
		},
		{
			Name: "cert-manager", Namespace: "cert-manager", Owner: "Deployment", Replicas: 1, Format: Klog,
			Starts: []Saying{
				info("controller.go:89", `"enabled controllers: [certificaterequests-approver certificates-issuing certificates-trigger]" logger="cert-manager.controller"`),
				info("leaderelection.go:254", `attempting to acquire leader lease kube-system/cert-manager-controller...`),
				info("leaderelection.go:268", `successfully acquired lease kube-system/cert-manager-controller`),
			},
			Says: []Saying{
				info("trigger_controller.go:215", `"Certificate must be re-issued" logger="cert-manager.controller" key="{{ns}}/{{app}}-tls" reason="Renewing" message="Renewing certificate as renewal was scheduled"`).every(50 * minute),
				fail("controller.go:134", `"re-queuing item due to optimistic locking on resource" logger="cert-manager.controller" key="{{ns}}/{{app}}-tls" error="Operation cannot be fulfilled on certificates.cert-manager.io \"{{app}}-tls\": the object has been modified; please apply your changes to the latest version and try again"`).every(40 * minute),
			},
		},
		{
			Name: "prometheus", Namespace: "monitoring", Owner: "StatefulSet", Replicas: 1, Format: Logfmt,
			Starts: []Saying{info("main.go:637", `msg="Starting Prometheus Server" mode=server version="(version=2.55.1, branch=HEAD, revision=6d90289882efd75fc8d1b4fbd3fa0f0b7a8e0ff5)"`)},
			Says: []Saying{
				info("compact.go:531", `component=tsdb msg="write block" mint={{unixms}} maxt={{unixms}} ulid=01JNM{{hex:21-21}} duration={{n:1-4}}.{{z:1-999}}s ooo=false`).steady(2 * time.Hour),
				info("head.go:1308", `component=tsdb msg="Head GC completed" caller=truncateMemory duration={{n:100-900}}.{{z:1-999}}ms`).steady(2 * time.Hour),
				warn("group.go:533", `component="rule manager" file=/etc/prometheus/rules/default.yaml group=kubernetes msg="Evaluating rule failed" rule="record: node:cpu:sum" err="found duplicate series for the match group {instance=\"{{node}}\"} on the right hand-side of the operation"`).every(time.Hour),
				warn("scrape.go:1851", `component="scrape manager" scrape_pool=serviceMonitor/{{ns}}/{{app}}/0 target=http://{{ip}}:8080/metrics msg="Error on ingesting out-of-order samples" num_dropped={{n:1-20}}`).every(18 * minute),
			},
		},
		{
			Name: "kube-state-metrics", Namespace: "monitoring", Owner: "Deployment", Replicas: 1, Format: Klog,
			Starts: []Saying{info("server.go:166", `"Used resources" resources=["certificatesigningrequests","configmaps","cronjobs","daemonsets","deployments"]`)},
			Says:   []Saying{warn("reflector.go:547", `k8s.io/client-go/tools/cache/reflector.go:232: watch of *v1.{{kind}} ended with: an error on the server ("unable to decode an event from the watch stream: http2: client connection lost") has prevented the request from succeeding`).every(2 * time.Hour)},
		},
		{
			Name: "grafana", Namespace: "monitoring", Owner: "Deployment", Replicas: 1, Format: Bare,
			Says: []Saying{
				info("", `logger=context userId=1 orgId=1 uname=admin t={{rfc}} level=info msg="Request Completed" method=GET path=/api/ds/query status=200 remote_addr={{ip}} time_ms={{n:4-900}} duration={{n:4-900}}.{{z:1-999}}ms size={{n:200-90000}} referer= handler=/api/ds/query`).every(11 * second),
				info("", `logger=cleanup t={{rfc}} level=info msg="Completed cleanup jobs" duration={{n:4-60}}.{{z:1-999}}ms`).steady(10 * minute),
			},
		},
		{
			Name: "csi-provisioner", Namespace: "storage", Owner: "Deployment", Replicas: 2, Format: Klog,
			Starts: []Saying{
				info("feature_gate.go:387", `feature gates: {map[Topology:true]}`),
				info("common.go:143", `"Probing CSI driver for readiness"`),
				info("leaderelection.go:254", `attempting to acquire leader lease storage/block-example-net...`),
				info("leaderelection.go:268", `successfully acquired lease storage/block-example-net`),
			},
			Says: []Saying{
				info("controller.go:1555", `provision "{{ns}}/data-{{app}}-{{n:0-2}}" class "block": volume "pvc-{{uuid}}" provisioned`).every(25 * minute),
				info("event.go:389", `"Event occurred" object="{{ns}}/data-{{app}}-{{n:0-2}}" fieldPath="" kind="PersistentVolumeClaim" apiVersion="v1" type="Normal" reason="ProvisioningSucceeded" message="Successfully provisioned volume pvc-{{uuid}}"`).every(25 * minute),
			},
		},
		{
			Name: "volume-manager", Namespace: "storage", Owner: "DaemonSet", Format: Logrus,
			Says: []Saying{
				info("", `"Finished syncing volume pvc-{{uuid}}" controller=volume node={{host}} owner={{node}}`).every(6 * second),
				{Level: 'W', m: parse(`"Failed to get snapshot purge status" controller=engine engine=pvc-{{uuid}}-e-0 error="rpc error: code = Unavailable desc = connection closed" node={{node}}`), Every: 26 * minute},
				info("", `"Instance manager heartbeat" instances={{n:20-30}} node={{host}}`).steady(10 * second),
			},
		},
		{
			Name: "network-operator", Namespace: "network-operator", Owner: "Deployment", Replicas: 1, Format: GoLog,
			Starts: []Saying{info("", `Go Version: go1.22.9`), info("", `Became the leader.`)},
			Says: []Saying{
				// One line two to three times a second: each says that nothing was to be done. Healthy, and common.
				info("", `reconciling ({{kind}}) {{ns}}/{{app}}`).every(400 * time.Millisecond),
				info("", `update was successful`).every(400 * time.Millisecond),
			},
		},
		{
			Name: "version-operator", Namespace: "version-operator", Owner: "Deployment", Replicas: 1, Format: Klog,
			Says: []Saying{
				info("sync_worker.go:771", `Done syncing for {{kind}} "{{ns}}/{{app}}" ({{n:1-790}} of 790)`).every(250 * time.Millisecond),
				info("sync_worker.go:753", `Running sync for {{kind}} "{{ns}}/{{app}}" ({{n:1-790}} of 790)`).every(250 * time.Millisecond),
				info("task_graph.go:481", `Canceled worker {{n:0-31}} while waiting for work`).every(90 * second).burst(4),
			},
		},
		{
			Name: "metallb-speaker", Namespace: "metallb", Owner: "DaemonSet", Format: Slog,
			Says: []Saying{
				info("", `"msg":"event","caller":"main.go:373","event":"serviceAnnounced","ips":["192.168.40.{{n:200-240}}"],"pool":"lan","protocol":"layer2","service":"{{ns}}/{{app}}"`).every(4 * minute),
				info("", `"msg":"partial-join","caller":"speakerlist.go:271","joined":1,"op":"memberDiscovery"`).steady(5 * minute),
			},
		},
		{
			Name: "gitops-controller", Namespace: "gitops", Owner: "Deployment", Replicas: 1, Format: Zap,
			Starts: []Saying{
				info("controller-runtime.metrics", `"msg":"Metrics server is starting to listen","addr":":8080"`),
				info("setup", `"msg":"starting manager"`),
			},
			Says: []Saying{
				info("", `"msg":"server-side apply for cluster definitions completed","controller":"kustomization","controllerGroup":"gitops.example.net","controllerKind":"Kustomization","Kustomization":{"name":"{{app}}","namespace":"gitops"},"namespace":"gitops","name":"{{app}}","reconcileID":"{{uuid}}","output":"unchanged"`).every(50 * second),
				info("", `"msg":"Reconciliation finished in {{n:300-2500}}.{{z:1-999}}ms, next run in 10m0s","controller":"kustomization","controllerGroup":"gitops.example.net","controllerKind":"Kustomization","Kustomization":{"name":"{{app}}","namespace":"gitops"},"namespace":"gitops","name":"{{app}}","reconcileID":"{{uuid}}","revision":"main@sha1:{{hex:40-40}}"`).every(50 * second),
				fail("", `"msg":"Reconciler error","controller":"helmrelease","controllerGroup":"gitops.example.net","controllerKind":"HelmRelease","HelmRelease":{"name":"{{app}}","namespace":"{{ns}}"},"namespace":"{{ns}}","name":"{{app}}","reconcileID":"{{uuid}}","error":"Operation cannot be fulfilled on helmreleases.gitops.example.net \"{{app}}\": the object has been modified; please apply your changes to the latest version and try again"`).every(30 * minute),
			},
		},
		{
			Name: "autoscaler-operator", Namespace: "autoscaler", Owner: "Deployment", Replicas: 1, Format: ZapTabs,
			Says: []Saying{
				info("Reconciling ScaledObject", `{"controller": "scaledobject", "controllerGroup": "scaling.example.net", "controllerKind": "ScaledObject", "ScaledObject": {"name":"{{app}}","namespace":"{{ns}}"}, "namespace": "{{ns}}", "name": "{{app}}", "reconcileID": "{{uuid}}"}`).every(30 * second),
			},
		},
		{
			Name: "backup", Namespace: "backup", Owner: "Deployment", Replicas: 1, Format: Logrus,
			Says: []Saying{
				info("", `"Validating BackupStorageLocation" backup-storage-location=backup/default controller=backup-storage-location logSource="pkg/controller/backup_storage_location_controller.go:141"`).steady(minute),
				info("", `"BackupStorageLocations is valid, marking as available" backup-storage-location=backup/default controller=backup-storage-location logSource="pkg/controller/backup_storage_location_controller.go:126"`).steady(minute),
				info("", `"plugin process exited" cmd=/backup controller=backup-storage-location id={{n:1000-99999}} logSource="pkg/plugin/clientmgmt/process/logrus_adapter.go:80" plugin=/backup`).steady(minute),
			},
		},
		{
			Name: "log-shipper", Namespace: "logging", Owner: "DaemonSet", Format: Bare,
			Says: []Saying{
				info("", `[{{slashes}}] [ info] [input:tail:tail.0] inotify_fs_add(): inode={{n:100000-9999999}} watch_fd={{n:10-900}} name=/var/log/containers/{{pod}}_{{ns}}_{{app}}-{{hex:64-64}}.log`).every(2 * minute),
				warn("", `[{{slashes}}] [ warn] [engine] failed to flush chunk '1-{{n:1700000000-1799999999}}.{{n:100000-999999}}.flb', retry in {{n:6-11}} seconds: task_id={{n:0-9}}, input=tail.0 > output=es.0 (out_id=0)`).every(25 * minute),
			},
		},
	}
}

// Workloads are the programs that the cluster is there for.
func Workloads() []*Component {
	return []*Component{
		{
			Name: "orders-api", Namespace: "orders", Owner: "Deployment", Replicas: 3, Format: Slog,
			Says: []Saying{
				info("", `"msg":"request","method":"{{verb}}","path":"{{path}}","status":{{code}},"duration_ms":{{n:1-240}},"trace":"{{hex:32-32}}"`).every(1300 * time.Millisecond),
				warn("", `"msg":"retrying","attempt":1,"error":"dial tcp {{ip}}:5432: connect: connection refused","trace":"{{hex:32-32}}"`).every(35 * minute),
			},
		},
		{
			Name: "catalog-web", Namespace: "catalog", Owner: "Deployment", Replicas: 2, Format: Access,
			Says: []Saying{info("", `"{{verb}} {{path}} HTTP/1.1" {{code}} {{n:120-90000}} "-" "curl/8.5.0"`).every(2 * second)},
		},
		{
			Name: "payments-worker", Namespace: "payments", Owner: "Deployment", Replicas: 2, Format: Zap,
			Says: []Saying{
				info("queue", `"msg":"job done","job":"{{uuid}}","took":0.{{z:1-999}},"attempts":1`).every(3 * second),
				fail("queue", `"msg":"job failed, will retry","job":"{{uuid}}","error":"gateway timeout","attempts":{{n:1-3}}`).every(28 * minute),
			},
		},
		{
			Name: "thumbnailer", Namespace: "media", Owner: "Deployment", Replicas: 2, Format: Klog,
			Says: []Saying{info("resize.go:88", `"Resized" image="{{uuid}}.jpg" width={{n:120-1920}} took="{{n:12-190}}ms"`).every(4 * second)},
		},
		{
			Name: "ledger-sync", Namespace: "ledger", Owner: "StatefulSet", Replicas: 2, Format: Logrus,
			Says: []Saying{
				info("", `"batch committed" batch={{rv}} entries={{n:1-400}} took={{n:3-90}}ms`).every(7 * second),
				info("", `"heartbeat" lag={{n:0-3}}`).steady(10 * second),
			},
		},
		{
			Name: "search-index", Namespace: "search", Owner: "StatefulSet", Replicas: 2, Format: GoLog,
			Says: []Saying{info("", `segment {{hex:8-8}} merged: {{n:1000-90000}} documents in {{n:80-2500}} ms`).every(12 * second)},
		},
		{
			Name: "mail-relay", Namespace: "mailroom", Owner: "Deployment", Replicas: 1, Format: Bare,
			Says: []Saying{info("", `{{rfc}} mail-relay postfix/smtp[{{n:100-9000}}]: {{hex:10-10}}: to=<customer-{{n:100-9999}}@mail.example.org>, relay=mx.example.org[192.0.2.{{n:1-250}}]:25, delay=0.{{n:1-99}}, dsn=2.0.0, status=sent (250 2.0.0 Ok: queued as {{hex:11-11}})`).every(9 * second)},
		},
	}
}
