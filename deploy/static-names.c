/* Part of the static binary that scripts/dist makes, and of no other. Where names of hosts and users are looked up,
   /etc/nsswitch.conf says; glibc loads a library of the machine for whatever is not built in (resolve, mymachines, mdns),
   and with that the machine's own glibc. In a static program of another version that ends in a crash, so only what is
   built in is asked: the files in /etc and DNS. */
#include <nss.h>

__attribute__((constructor)) static void ask_only_what_is_built_in(void)
{
	__nss_configure_lookup("hosts", "files dns");
	__nss_configure_lookup("passwd", "files");
	__nss_configure_lookup("group", "files");
}
