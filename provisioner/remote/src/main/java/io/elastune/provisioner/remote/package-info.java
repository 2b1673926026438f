/** What kinds of cloud that are asked over a network have in common. */
@NullMarked
package io.elastune.provisioner.remote;

import org.jspecify.annotations.NullMarked;
