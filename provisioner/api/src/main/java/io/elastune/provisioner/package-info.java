/**
 * The interface to cloud providers: commands, events, failures and offers. Each provider is a
 * separate module that is found at run time.
 */
@NullMarked
package io.elastune.provisioner;

import org.jspecify.annotations.NullMarked;
