module wild/key-audit

go 1.20

require wild/kit v0.0.0

require github.com/google/uuid v1.6.0

replace wild/kit => ../../kit
