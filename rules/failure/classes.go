package failure

// A class is one kind of root.
type class struct {
	name  string
	words string // in lower case, separated by semicolons
	// whole: what is before the words up to the last colon, and what is behind them, belong to the root.
	whole bool
	at    []string // patterns that find what it names, best first
	act   string   // what can't be done
	fix   string
}

// Names of places by what an error is about.
var (
	addresses = []string{"address", "url", "ip", "host"}
	servers   = []string{"url", "address", "ip", "host"}
	files     = []string{"address", "file", "path"}
)

// Lease is the class of a leader's lost lease.
const Lease = "lease"

// classes are all kinds, by the words of Go's standard library, the kernel, Kubernetes and well-known servers.
var classes = []class{
	{"refused", "connection refused", false, addresses, "can't reach {at}",
		"Make sure that a server is running and listens at {at}."},
	{"unreachable", "i/o timeout; no route to host; network is unreachable; connection timed out; " +
		"tls handshake timeout", false, addresses, "can't reach {at}",
		"Check the network to {at}: routes, network policies and firewalls."},
	{"unknown host", "no such host; server misbehaving; temporary failure in name resolution", false,
		[]string{"lookup", "url", "host"}, "can't resolve {at}",
		"Correct the name {at}, or create the Service or DNS record that it refers to."},
	{"expired certificate", "certificate has expired; certificate is not yet valid; expired certificate", false,
		servers, "can't trust {at}", "Renew the certificate of {at}, and check both clocks."},
	{"name of certificate", "x509: certificate is valid for; doesn't contain any ip sans; " +
		"cannot validate certificate for", true, []string{"not", "url", "address", "ip"}, "can't trust {at}",
		"Connect by a name that the certificate contains, or issue one for {at}."},
	{"authority", "certificate signed by unknown authority; self-signed certificate", false, servers,
		"can't trust {at}", "Add the authority that signed the certificate of {at} to the client's trusted roots."},
	{"denied", "permission denied; operation not permitted; read-only file system", false, files, "has no " +
		"permission to use {at}",
		"Give the process the right to use {at}: check its user, its capabilities, and whether the mount is writable."},
	{"forbidden", "is forbidden", false, []string{"named"}, "is not allowed to access {at}",
		"Bind a Role with the permission for {at} to the service account that the error names."},
	{"no file", "no such file or directory; cannot find the file specified; executable file not found", false,
		[]string{"file", "path"}, "can't find {at}", "Mount or create {at}, or correct the path."},
	{"address in use", "address already in use", false, addresses, "can't listen on {at}",
		"Stop the other process that listens on {at}, or configure another port."},
	{"disk full", "no space left on device; disk quota exceeded", false, []string{"file", "path"}, "can't write {at}",
		"Free up space on {at}'s volume, or enlarge it."},
	{"quota", "exceeded quota", false, []string{"quota"}, "exceeds quota {at}",
		"Raise quota {at}, or request less."},
	{"login", "password authentication failed; access denied for user; wrongpass; noauth; authentication failed; " +
		"unauthorized; invalid credentials; login failed", true, addresses, "can't log in to {at}",
		"Correct the credentials for {at}: user, password or token."},
	{"version", "schema version; no matches for kind; unsupported version; incompatible version; version mismatch; " +
		"incompatible protocol", true, nil, "",
		"Install compatible versions of the program and of the component that the error names."},
	{Lease, "leader election lost; leaderelection lost", false, nil, "",
		"Find out why the lease was not renewed in time: look at the API server, etcd and the process's CPU."},
	{"deadline", "context deadline exceeded; client.timeout exceeded", false, addresses, "gets no answer from {at}",
		"Find out why {at} does not answer in time, or allow it more time."},
	{"killed", "signal: killed; out of memory: killed process", true, nil, "",
		"Compare the memory that the process needs with its limit, and look for the reason in the kernel's log."},
}
