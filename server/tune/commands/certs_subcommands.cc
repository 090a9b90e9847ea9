// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "server/tune/commands/certs_subcommands.h"

#include "server/tune/commands/option_groups.h"

namespace mmtune {

void CertsSubcommands::AddTo(CLI::App& app) {
  CLI::App& certs =
      *app.add_subcommand("certs", "Certificates of servers, workers and users, by an authority of our own");
  certs.require_subcommand(1);
  certs.footer(
      "A certificate names a role: admin, client (tune) or worker; a server's names its hosts. Files are PEM, keys "
      "have "
      "mode 0600.\n\nExamples:\n"
      "  tune certs init --ca certs\n"
      "  tune certs issue server coordinator --ca certs --host tuner.example.org --host 10.0.0.5 -o coordinator\n"
      "  tune certs issue worker gpu-a --ca certs -o gpu-a\n"
      "  tune certs revoke gpu-a/gpu-a.crt --ca certs\n");
  CLI::App& init = AddOne(certs, "init", "Make an authority in a new folder", RunCertsInit);
  AddAuthority(init);
  AddText(init, "--name", certs_.name, "NAME", "Its name");
  AddText(init, "--valid", certs_.valid, "TIME", "How long: 3650d unless given");
  CLI::App& issue =
      AddOne(certs, "issue", "Make a key and a certificate; with --force, new ones in place of the old", RunCertsIssue);
  AddOperand(issue, "ROLE", certs_.role, "admin, client, worker or server");
  AddOperand(issue, "NAME", certs_.subject, "Whose: of a host or a user; stays when the certificate is renewed");
  AddAuthority(issue);
  issue.add_option("--host", certs_.hosts, "Of a server: a name or address by which it is dialled; again for another")
      ->type_name("HOST");
  AddText(issue, "--valid", certs_.valid, "TIME", "How long: 30s, 12h, 90d; 90d unless given");
  AddText(issue, "-o,--output", certs_.output, "DIR", "Where NAME.crt and NAME.key go");
  issue.add_flag("--force", certs_.force, "Replace files that exist");
  CLI::App& revoke = AddOne(certs, "revoke", "Put a certificate on the list that servers refuse", RunCertsRevoke);
  AddOperand(revoke, "FILE", certs_.file, "The certificate");
  AddAuthority(revoke);
  CLI::App& show = AddOne(certs, "show", "Whose a certificate is, and how long it is valid", RunCertsShow);
  AddOperand(show, "FILE", certs_.file, "The certificate");
}

void CertsSubcommands::AddAuthority(CLI::App& command) {
  AddText(command, "--ca", certs_.authority, "DIR", "The authority's folder")->required();
}

CLI::App& CertsSubcommands::AddOne(CLI::App& certs, const char* name, const char* help, Run run) {
  return commands_.Add(certs, name, help, [this, run](const Console& console) { return run(certs_, console); });
}

}  // namespace mmtune
