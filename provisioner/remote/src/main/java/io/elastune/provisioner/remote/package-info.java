/** Code shared by the providers that call a remote cloud. */
@NullMarked
package io.elastune.provisioner.remote;

import org.jspecify.annotations.NullMarked;
