package rules

// BuiltinRoles returns the roles that triage knows, from roles.yaml by way of builtin_gen.go. They are compiled when a
// dump asks for them; TestBuiltinFilesLoad rules out that they can't be.
func BuiltinRoles() *RoleSet { return lazyRoleSet(builtinRoleDefs) }
