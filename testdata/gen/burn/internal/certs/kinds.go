// Package certs makes keys, certificates, signatures and digests more often than it should.
package certs

import "example.com/fixtures/burn/run"

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		hot("rsa-key", "RSA key generated on every call", `^crypto/rsa\.GenerateKey$`, "(*SecretReconciler).signingKey", startSecrets),
		hot("ecdsa-key", "ECDSA key generated on every call", `^crypto/ecdsa\.GenerateKey$`, "(*Sessions).open", startSessions),
		hot("ed25519-key", "Ed25519 key generated on every call", `^crypto/ed25519\.GenerateKey$`, "(*Enroller).deviceKey", startEnroller),
		hot("client-cert-rsa", "client certificate with a new RSA key 4 times a reconcile at 4 call sites", `^crypto/rsa\.GenerateKey$`,
			"(*Issuer).ClientCertificate", startClusters(false)),
		hot("client-cert-ecdsa", "client certificate with a new ECDSA key 4 times a reconcile at 4 call sites", `^crypto/x509\.CreateCertificate$`,
			"(*Issuer).ClientCertificate", startClusters(true)),
		hot("x509-create", "certificate made on every call, with a key that is kept", `^crypto/x509\.CreateCertificate$`, "(*Webhooks).issue", startWebhooks),
		hot("x509-verify", "certificate chain verified on every call", `^crypto/x509\.\(\*Certificate\)\.Verify$`, "(*Gate).admit", startGate),
		hot("pem-pool", "CA pool parsed on every call", `^crypto/x509\.\(\*CertPool\)\.AppendCertsFromPEM$`, "(*Mirrors).roots", startMirrors),
		hot("rsa-sign", "RSA signature on every request", `^crypto/rsa\.SignPKCS1v15$`, "(*Tokens).sign", startTokens),
		hot("ecdsa-sign", "ECDSA signature on every call", `^crypto/ecdsa\.SignASN1$`, "(*Receipts).sign", startReceipts),
		hot("ecdsa-verify", "ECDSA signature verified on every call", `^crypto/ecdsa\.VerifyASN1$`, "(*Authenticator).accept", startAuthenticator),
		hot("sha256-bodies", "SHA-256 of large bodies", `^crypto/(internal/fips140/)?sha256\.`, "(*Blobs).digest", startBlobs),
		hot("crypto-rand", "small reads of crypto/rand", `^crypto/rand\.Read$`, "(*Spans).newID", startSpans),
	}
}

func hot(name, topic, guilty, culprit string, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: run.Own("certs", culprit), Category: "hot-cpu", Start: start,
	}
}
