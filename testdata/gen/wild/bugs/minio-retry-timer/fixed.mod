module wild/minio-retry-timer

go 1.26

require (
	github.com/minio/minio-go/v6 v6.0.52
	wild/kit v0.0.0
)

require (
	github.com/minio/sha256-simd v0.1.1 // indirect
	github.com/mitchellh/go-homedir v1.1.0 // indirect
	golang.org/x/crypto v0.0.0-20190513172903-22d7a77e9e5f // indirect
	golang.org/x/net v0.0.0-20190522155817-f3200d17e092 // indirect
	golang.org/x/sys v0.0.0-20190422165155-953cdadca894 // indirect
	golang.org/x/text v0.3.0 // indirect
	gopkg.in/ini.v1 v1.42.0 // indirect
)

replace wild/kit => ../../kit
