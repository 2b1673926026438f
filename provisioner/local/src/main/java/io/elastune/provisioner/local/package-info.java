/** The local provider, which runs instances as processes of this machine. */
@NullMarked
package io.elastune.provisioner.local;

import org.jspecify.annotations.NullMarked;
