package logs

import "time"

const (
	second = time.Second
	minute = time.Minute
)

// ControlPlane are the static pods and the node's agents, as Kubernetes 1.28 to 1.34 print them.
func ControlPlane() []*Component {
	return []*Component{
		{
			Name: "kube-apiserver", Namespace: "kube-system", Owner: "Node", Format: Klog,
			Starts: []Saying{
				info("options.go:248", `external host was not specified, using 192.168.40.11`),
				info("server.go:156", `Version: v1.31.4`),
				info("server.go:158", `"Golang settings" GOGC="" GOMAXPROCS="" GOTRACEBACK=""`),
				info("plugins.go:157", `Loaded 13 mutating admission controller(s) successfully in the following order: NamespaceLifecycle,LimitRanger,ServiceAccount,NodeRestriction,TaintNodesByCondition,Priority,DefaultTolerationSeconds,DefaultStorageClass,StorageObjectInUseProtection,RuntimeClass,DefaultIngressClass,MutatingAdmissionPolicy,MutatingAdmissionWebhook.`),
				info("instance.go:240", `Using reconciler: lease`),
				info("handler.go:286", `Adding GroupVersion apps v1 to ResourceManager`),
				info("secure_serving.go:213", `Serving securely on [::]:6443`),
			},
			Says: []Saying{
				info("alloc.go:330", `"allocated clusterIPs" service="{{ns}}/{{app}}" clusterIPs={"IPv4":"10.43.{{n:0-250}}.{{n:2-250}}"}`).every(9 * minute),
				info("controller.go:667", `quota admission added evaluator for: {{res}}`).every(25 * minute),
				info("handler.go:286", `Adding GroupVersion metrics.k8s.io v1beta1 to ResourceManager`).steady(time.Minute),
				warn("dispatcher.go:225", `Failed calling webhook, failing open policy.example.net: failed calling webhook "policy.example.net": failed to call webhook: Post "https://policy-webhook.policy.svc:443/validate?timeout=5s": context deadline exceeded`).every(3 * time.Hour),
				info("trace.go:236", `Trace[{{n:1000000-999999999}}]: "List" accept:application/vnd.kubernetes.protobuf,application/json,audit-id:{{uuid}},client:{{ip}},api-group:,api-version:v1,name:,subresource:,namespace:{{ns}},protocol:HTTP/2.0,resource:{{res}},scope:namespace,url:/api/v1/namespaces/{{ns}}/{{res}},user-agent:kube-state-metrics/v2.13.0,verb:LIST ({{slashes}}.{{z:1-999}}) (total time: {{n:501-1400}}ms):`).every(14 * minute),
				info("cidrallocator.go:277", `updated ClusterIP allocator for Service CIDR 10.43.0.0/16`).every(40 * minute),
			},
		},
		{
			Name: "kube-controller-manager", Namespace: "kube-system", Owner: "Node", Format: Klog,
			Starts: []Saying{
				info("serving.go:386", `Generated self-signed cert in-memory`),
				info("controllermanager.go:197", `"Starting" version="v1.31.4"`),
				info("leaderelection.go:254", `attempting to acquire leader lease kube-system/kube-controller-manager...`),
				info("leaderelection.go:268", `successfully acquired lease kube-system/kube-controller-manager`),
				info("event.go:389", `"Event occurred" object="kube-system/kube-controller-manager" fieldPath="" kind="Lease" apiVersion="coordination.k8s.io/v1" type="Normal" reason="LeaderElection" message="node-a1_{{uuid}} became leader"`),
				info("shared_informer.go:320", `Caches are synced for garbage collector`),
			},
			Says: []Saying{
				info("replica_set.go:679", `"Finished syncing" logger="replicaset-controller" kind="ReplicaSet" key="{{ns}}/{{app}}-{{hex:9-9}}" duration="{{n:2-90}}.{{n:1-9}}ms"`).every(13 * second),
				info("range_allocator.go:241", `"Successfully synced" logger="node-ipam-controller" key="{{node}}"`).every(2 * minute),
				info("topologycache.go:237", `"Can't get CPU or zone information for node" logger="endpointslice-controller" node="{{node}}"`).every(4 * minute),
				warn("garbagecollector.go:827", `failed to discover some groups: map[metrics.k8s.io/v1beta1:stale GroupVersion discovery: metrics.k8s.io/v1beta1]`).every(45 * minute),
				info("job_controller.go:598", `"enqueueing job" logger="job-controller" key="{{ns}}/nightly-{{n:28000000-29000000}}" delay="1s"`).every(6 * minute),
				fail("deployment_controller.go:500", `Operation cannot be fulfilled on replicasets.apps "{{app}}-{{hex:9-9}}": the object has been modified; please apply your changes to the latest version and try again`).every(35 * minute),
			},
		},
		{
			Name: "kube-scheduler", Namespace: "kube-system", Owner: "Node", Format: Klog,
			Starts: []Saying{
				info("serving.go:386", `Generated self-signed cert in-memory`),
				info("server.go:167", `"Starting Kubernetes Scheduler" version="v1.31.4"`),
				info("leaderelection.go:254", `attempting to acquire leader lease kube-system/kube-scheduler...`),
				info("leaderelection.go:268", `successfully acquired lease kube-system/kube-scheduler`),
			},
			Says: []Saying{
				info("schedule_one.go:298", `"Successfully bound pod to node" pod="{{ns}}/{{pod}}" node="{{node}}" evaluatedNodes=3 feasibleNodes={{n:1-3}}`).every(70 * second),
				info("reflector.go:368", `Caches populated for *v1.{{kind}} from k8s.io/client-go/informers/factory.go:160`).every(50 * minute),
			},
		},
		{
			Name: "etcd", Namespace: "kube-system", Owner: "Node", Format: EtcdZap,
			Starts: []Saying{
				info("etcdmain/etcd.go:73", `"msg":"Running: ","args":["etcd","--config-file=/var/lib/etcd/config"]`),
				info("embed/etcd.go:310", `"msg":"starting an etcd server","etcd-version":"3.5.16","go-version":"go1.22.9","max-cpu-set":4`),
				info("raft/raft.go:1200", `"msg":"3f5a71b6f2f1d9c0 became leader at term 4"`),
				info("embed/serve.go:250", `"msg":"serving client traffic securely","traffic":"grpc+http","address":"192.168.40.11:2379"`),
			},
			Says: []Saying{
				info("mvcc/index.go:214", `"msg":"compact tree index","revision":{{rv}}`).steady(5 * minute),
				info("mvcc/kvstore_compaction.go:72", `"msg":"finished scheduled compaction","compact-revision":{{rv}},"took":"{{n:20-90}}.{{z:1-999}}ms","hash":{{n:100000000-999999999}},"current-db-size-bytes":{{n:30000000-90000000}},"current-db-size":"{{n:30-90}} MB"`).steady(5 * minute),
				info("mvcc/hash.go:151", `"msg":"storing new hash","hash":{{n:100000000-999999999}},"revision":{{rv}},"compact-revision":{{rv}}`).steady(5 * minute),
				warn("txn/util.go:93", `"msg":"apply request took too long","took":"{{n:101-260}}.{{z:1-999}}ms","expected-duration":"100ms","prefix":"read-only range ","request":"key:\"/registry/{{res}}/{{ns}}/\" range_end:\"/registry/{{res}}/{{ns}}0\" ","response":"range_response_count:{{n:1-90}} size:{{n:900-90000}}"`).every(22 * minute),
				info("etcdserver/server.go:1453", `"msg":"triggering snapshot","local-member-id":"3f5a71b6f2f1d9c0","local-member-applied-index":{{rv}},"local-member-snapshot-index":{{rv}},"local-member-snapshot-count":10000`).every(30 * minute),
			},
		},
		{
			Name: "kubelet", Namespace: "", Owner: "Unit", Format: Journal,
			Says: []Saying{
				info("kubelet[1187]", `I{{klog}}    1187 reconciler_common.go:245] "operationExecutor.VerifyControllerAttachedVolume started for volume \"kube-api-access-{{hex:5-5}}\" (UniqueName: \"kubernetes.io/projected/{{uuid}}-kube-api-access\") pod \"{{pod}}\" (UID: \"{{uuid}}\") " pod="{{ns}}/{{pod}}"`).every(3 * minute),
				info("kubelet[1187]", `I{{klog}}    1187 pod_startup_latency_tracker.go:104] "Observed pod startup duration" pod="{{ns}}/{{pod}}" podStartSLOduration={{f:1-9}} podStartE2EDuration="{{f:1-9}}s"`).every(3 * minute),
				info("kubelet[1187]", `I{{klog}}    1187 scope.go:117] "RemoveContainer" containerID="{{hex:64-64}}"`).every(8 * minute),
				warn("kubelet[1187]", `E{{klog}}    1187 dns.go:153] "Nameserver limits exceeded" err="Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 192.168.40.1 192.168.40.2 192.168.40.3"`).steady(70 * second),
			},
		},
		{
			Name: "containerd", Namespace: "", Owner: "Unit", Format: Journal,
			Says: []Saying{
				info("containerd[912]", `time="{{rfc}}" level=info msg="StopPodSandbox for \"{{hex:64-64}}\""`).every(6 * minute),
				info("containerd[912]", `time="{{rfc}}" level=info msg="RemoveContainer for \"{{hex:64-64}}\" returns successfully"`).every(6 * minute),
				info("containerd[912]", `time="{{rfc}}" level=info msg="ImageCreate event name:\"registry.example.net/{{app}}:1.{{n:2-40}}.{{n:0-9}}\" labels:{key:\"io.cri-containerd.image\" value:\"managed\"}"`).every(15 * minute),
			},
		},
		{
			Name: "kernel", Namespace: "", Owner: "Unit", Format: Journal,
			Says: []Saying{
				info("kernel", `IPv6: ADDRCONF(NETDEV_CHANGE): cali{{hex:11-11}}: link becomes ready`).every(4 * minute),
				info("kernel", `audit: type=1400 audit({{f:1772700000-1772799999}}:{{n:100-9000}}): apparmor="STATUS" operation="profile_replace" info="same as current profile, skipping" profile="unconfined" name="cri-containerd.apparmor.d" pid={{n:1000-99999}} comm="apparmor_parser"`).every(5 * minute),
			},
		},
	}
}
