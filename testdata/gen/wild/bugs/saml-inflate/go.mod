module wild/saml-inflate

go 1.26

require (
	github.com/crewjam/saml v0.4.12
	wild/kit v0.0.0
)

require (
	github.com/beevik/etree v1.1.0 // indirect
	github.com/jonboulle/clockwork v0.2.2 // indirect
	github.com/mattermost/xml-roundtrip-validator v0.1.0 // indirect
	github.com/russellhaering/goxmldsig v1.2.0 // indirect
	golang.org/x/crypto v0.0.0-20220128200615-198e4374d7ed // indirect
)

replace wild/kit => ../../kit
