/** The kind of cloud that rents out this machine: its processes as instances. */
@NullMarked
package io.elastune.provisioner.local;

import org.jspecify.annotations.NullMarked;
