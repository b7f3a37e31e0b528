module wild/audit-trail

go 1.22

require wild/kit v0.0.0

replace wild/kit => ../../kit
