package redact

import "testing"

func TestValuesThatLookLikeSomethingElseAreHiddenWhole(t *testing.T) {
	for in, want := range map[string]string{
		"password=${Abc123xyz":                                          "password=password-1",
		"password=${DB_PASSWORD} x":                                     "password=${DB_PASSWORD} x",
		"userPassword={SSHA}dGVzdHRlc3R0ZXN0dGVzdA":                     "userPassword=password-1",
		`["DB_PASSWORD=\u003criver6722","B_PASSWORD=\u003cnone\u003e"]`: `["DB_PASSWORD=password-1","B_PASSWORD=\u003cnone\u003e"]`,
		`["DB_PASSWORD=\u003cset to the key 'pw'\u003e"]`:               `["DB_PASSWORD=\u003cset to the key 'pw'\u003e"]`,
		"password=/opt/Word123":                                         "password=password-1",
		"password=/run/secrets/db-password":                             "password=/run/secrets/db-password",
		`Authorization: Digest uri="/", response="6629fae4"`:            `Authorization: Digest uri="/", response="token-1"`,
		"up: dsl-203-0-113-78.acme.net":                                 "up: dsl-ip-1.host-1",
		"release 1-2-3-4.tar":                                           "release 1-2-3-4.tar",
		"password:\n  hunter2222\nport: 1\n":                            "password:\n  password-1\nport: 1\n",
		"password: >-\n  hunter2222\nport: 1\n":                         "password: >-\n  password-1\nport: 1\n",
		"password: &a hunter2222\n":                                     "password: &a password-1\n",
		"Tokens:\nplain line\n":                                         "Tokens:\nplain line\n",
		"ENV DB_PASSWORD hunter2222\n":                                  "ENV DB_PASSWORD password-1\n",
		"requirepass hunter2222\n":                                      "requirepass password-1\n",
		"  password mismatch\n":                                         "  password mismatch\n",
	} {
		if got := string(NewText(Options{}).String(in)); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
