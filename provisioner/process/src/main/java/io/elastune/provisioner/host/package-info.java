/**
 * What the kinds that run on this very machine share: folders of local instances, and finding and
 * ending processes by what they carry in their environment.
 */
@NullMarked
package io.elastune.provisioner.host;

import org.jspecify.annotations.NullMarked;
